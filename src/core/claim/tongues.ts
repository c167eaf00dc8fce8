/**
 * The words of one language for the rules against a claim, as sources of patterns over a lower-cased clause.
 * `\b` and `\w` work for every alphabet.
 */
export interface Tongue {
  /** Things that are run to check the work. */
  test: string;
  /** Says that they fail. */
  fail: string;
  /** Says that they pass, or that the work is done. */
  pass: string;
  still: string;
  /** Before the trouble: it is absent or hypothetical. */
  none: string;
  /** Anywhere in the sentence: the trouble is over, or agreed on. */
  gone: string;
  /** In the same clause: something was created, such as a test for the trouble. */
  made: string;
  /** Names an exception to what passes. */
  except: string;
  /** Nearly all. */
  most: string;
  unfinished: string;
  remaining: string;
  stub: string;
  unrun: string;
}

const DE_DONE =
  "(?:fertig(?:gestellt)?|abgeschlossen|implementiert|umgesetzt|erledigt|vollständig|beendet|komplett|behoben|gelöst|migriert|geschrieben|dokumentiert|angebunden|eingebaut|vorhanden|möglich|getestet)";
const ES_DONE =
  "(?:terminad|completad|complet|list|acabad|implementad|hech|finalizad|probad|resuelt|corregid|migrad|documentad|escrit)\\w+";
const FR_DONE =
  "(?:terminé|fini|achevé|complet|complèt|implémenté|fait|prêt|testé|résolu|corrigé|géré|écrit|documenté|migré)\\w*";
const IT_DONE =
  "(?:finit|terminat|completat|complet|pront|implementat|conclus|testat|risolt|fatt|corrett|scritt|gestit)[oaie]";
const PT_DONE =
  "(?:pront|terminad|concluíd|complet|implementad|finalizad|feit|testad|resolvid|acabad|corrigid|escrit|documentad)\\w+";
const RU_DONE =
  "(?:завершен|завершён|закончен|закончил|завершил|готов|реализован|реализовал|сделан|сделал|доделан|дописан|протестирован|написан|исправлен|исправил|выполнен|решен|решён|поддерживает)\\w*";

/** Nine languages besides English. */
export const TONGUES: Readonly<Record<string, Tongue>> = {
  de: {
    test: "\\b(?:\\w*tests?|\\w*testf[aä]lle?n?|builds?|prüfung(?:en)?|ci|pipeline|\\w*suite|linter|typprüfung|checks?|specs?|kompilierung)\\b",
    fail: "\\b(?:(?<!^[^\\p{L}]*)schl(?:ägt|agen|ug|ugen)\\b.{0,50}\\bfehl|fehlgeschlagen|fehlschl(?:agen|ägt|ug|ugen)|scheiter(?:t|n|te|ten)|gescheitert|rot|kaputt|defekt|durchgefallen|(?:laufen|läuft|gehen|geht|bestehen|besteht|klappen|klappt|funktionier\\w+|kompiliert|baut|sind|ist)\\b.{0,25}\\bnicht (?:\\w+ )?(?:durch|grün|erfolgreich|bestanden|sauber)|(?:bestehen|besteht|funktionier\\w+|kompiliert|klappt|klappen|läuft|laufen)(?: \\w+){0,2} nicht|bricht ab|brechen ab|(?:rote[nr]?|fehlschlagende[nr]?|fehlgeschlagene[nr]?) \\w*tests?)\\b",
    pass: "\\b(?:grün|durch|bestehen|besteht|bestanden|fertig|erledigt|funktionier\\w+|läuft|laufen|implementiert|umgesetzt|abgeschlossen|steht)\\b",
    still: "\\b(?:noch|weiterhin|nach wie vor|derzeit|aktuell|momentan)\\b",
    none: "\\bnicht[^\\p{L}]*$|\\b(?:kein\\w*|null|ohne|weder|nie|niemals|statt|nicht ein\\w*|nichts|wenn|falls|sofern|sobald|ob|damit|warum|weshalb)\\b",
    gone: "\\b(?:vorher|zuvor|früher|ehemals|anfangs|zunächst|zuerst|ursprünglich|behoben|gefixt|korrigiert|repariert|gelöst|entfernt|gelöscht|ersetzt|beseitigt|abgearbeitet|erledigt|nicht mehr|nichts mehr|kein\\w* \\w+ mehr|(?:jetzt|nun|wieder)(?: \\w+){0,2} (?:grün|durch|erfolgreich|bestanden)|(?:laufen|läuft|sind|ist|bestehen|besteht|funktioniert) (?:jetzt|nun|inzwischen|mittlerweile|wieder)|wie (?:erwartet|gewünscht|vereinbart|besprochen|verlangt)|erwartungsgemäß|absichtlich|optional\\w*)\\b|:\\W*(?:keine?|nichts)\\b",
    made: "\\b(?:ergänzt|hinzugefügt|geschrieben|test für|tests für)\\b",
    except: "\\b(?:bis auf|außer|abgesehen von|mit ausnahme|ausgenommen)\\b",
    most: "\\b(?:(?:fast|nahezu|beinahe) alle|die meisten|der großteil)\\b",
    unfinished: `\\b(?:nicht (?:ganz |vollständig |komplett |richtig )?${DE_DONE}|noch nicht\\b|unvollständig|unfertig|halb ?fertig|(?:teilweise|größtenteils|weitgehend|fast|beinahe) (?:\\w+ )?${DE_DONE}|noch in arbeit)\\b`,
    remaining:
      "\\b(?:muss|müssen|müsste\\w*|sollten?|bleibt|bleiben|fehlt|fehlen|steht|stehen|brauch\\w+|benötig\\w+)(?: \\w+){0,3} noch\\b|\\bnoch (?:\\w+ ){0,5}(?:zu (?:tun|erledigen|implementieren|schreiben|testen|beheben|machen|klären)|offen|ausstehend|nötig|notwendig|erforderlich|fehlt|fehlen|werden)\\b|\\bes fehl(?:t|en)\\b(?! nichts)|^[^\\p{L}]*(?:noch |es )?(?:offene?|ausstehend|verbleibend\\w*|restarbeiten|fehlt|fehlend|nächste schritte)\\b[^:]{0,20}:|\\b(?:mache|erledige|folgt|kommt|folgen|ergänze|implementiere|reiche|baue)\\b.{0,40}\\b(?:später|nachher|morgen|noch|im nächsten|in einem folge\\w*)\\b|\\bspäter (?:nach\\w+|ergänzt|implementiert|erledigt)\\b|\\bfür später\\b",
    stub: "\\b(?:vorerst|zunächst|erst ?mal|noch|momentan|derzeit|nur|vorläufig|übergangsweise)\\b.{0,40}\\b(?:stubs?|platzhalter|attrappen?|dummy|gemockt|hart ?[kc]odiert\\w*|fest ?verdrahtet|hardcod\\w+)\\b",
    unrun:
      "\\b(?:nicht|nie|keine tests?)\\b(?: \\w+){0,2} (?:ausführen|ausgeführt|laufen lassen|gelaufen|starten|gestartet|testen|getestet|geprüft|verifizier\\w+|durchgeführt|überprüf\\w+)\\b|\\b(?:getestet|ausgeführt|geprüft) (?:habe|wurde)\\b.{0,20}\\bnicht\\b|\\b(?:keine möglichkeit|nicht möglich|nicht in der lage)\\b.{0,30}\\b(?:auszuführen|zu testen|zu prüfen|laufen zu lassen)\\b|\\bungetestet\\b|\\bohne (?:\\w+ )?tests? (?:auszuführen|laufen)",
  },
  es: {
    test: "\\b(?:pruebas?|tests?|builds?|compilación|suite|ci|pipeline|linter|casos?|verificaci(?:ón|ones)|chequeos?)\\b",
    fail: "\\b(?:fallan?|fallando|fallaron|falló|fallid[oa]s?|en rojo|rot[oa]s?|no (?:me |se )?(?:pasan?(?! nada)|pasaron|funcionan?|compilan?|están? en verde)|dan? error)\\b",
    pass: "\\b(?:pasan?|pasaron|en verde|funcionan?|list[oa]s?|terminad\\w+|complet\\w+|correct\\w+|implementad\\w+)\\b",
    still: "\\b(?:todavía|aún|siguen?|continúan?|por ahora|de momento|actualmente)\\b",
    none: "\\b(?:ni|ningun\\w*|ningún|nada|sin|cero|no hay|ya no|no queda\\w*|tampoco|nunca|si|cuando|en caso de|hasta que|para que|cada vez que)\\b",
    gone: "\\b(?:antes|anteriormente|previamente|al principio|inicialmente|corregí|corregid\\w+|arregl\\w+|solucion\\w+|resuelt\\w+|resolví|elimin\\w+|quit(?:é|ad\\w+)|borr\\w+|reempla\\w+|sustitu\\w+|ya no|ahora(?: \\w+){0,2} (?:pasan?|funcionan?|están?)|(?:pasan?|funcionan?) ahora|como se (?:pidió|esperaba|acordó|indicó)|esperad\\w+|opcional\\w*|a propósito|intencionad\\w+|nada (?:pendiente|más|por))\\b|:\\W*(?:ningun[ao]|nada)\\b",
    made: "\\b(?:añad\\w+|agreg\\w+|escribí)\\b",
    except:
      "\\b(?:excepto|salvo|(?<!al |lo |pelo |ao )menos|a excepción de|con (?:la )?excepción de|aparte de|exceptuando)\\b",
    most: "\\b(?:la (?:gran )?mayoría|casi tod[oa]s?)\\b",
    unfinished: `\\b(?:no (?:está\\w*|he|ha|hemos|han|queda\\w*|fue|fueron|se ha\\w*|lo he|quedó)(?: \\w+){0,2} ${ES_DONE}|(?:aún|todavía) no|no(?: \\w+){1,5} (?:aún|todavía)|incomplet[oa]s?|sin (?:terminar|acabar|implementar|completar)|a medias|a medio \\w+|(?:casi|parcialmente|mayormente) ${ES_DONE})\\b`,
    remaining:
      "(?<!\\b(?:no|non|não|ne) )\\b(?:faltan?|faltarían?|restan?|quedan? (?:\\w+ )?(?:pendientes?|por|una?|dos|tres|\\d+|algun\\w+|vari\\w+|muchos?|trabajo|todavía|aún))\\b(?! nada)|\\bpendientes?\\b|\\b(?:todavía|aún) (?:hay|tengo|tenemos|debo|necesit\\w+|requieren?|falta\\w*)\\b|\\bdej(?:o|é|amos|ado)\\b.{0,40}\\bpara (?:más tarde|después|luego|otr[oa]|el próximo|la próxima)\\b|\\bpróximos pasos\\W*:|\\bpor (?:hacer|implementar|terminar|resolver)\\b",
    stub: "\\b(?:por ahora|de momento|todavía|aún|temporalmente|provisionalmente|solo)\\b.{0,40}\\b(?:stubs?|mock\\w*|simulad\\w+|provisional\\w*|marcador de posición|codificad\\w+|hardcod\\w+)\\b|\\b(?:stubs?|mock|simulad[oa]s?|provisional)\\b.{0,20}\\b(?:por ahora|de momento|todavía|aún)\\b",
    unrun:
      "\\bno(?: \\w+){0,2} (?:pud\\w+|podido|logr\\w+|posible|conseg\\w+)\\b.{0,20}\\b(?:ejecut\\w+|correr|probar\\w*|verificar\\w*|comprobar\\w*|pasar)\\b|\\bno (?:\\w+ )?(?:ejecuté|corrí|probé|verifiqué|(?:he|se han?|han sido|fueron) (?:\\w+ )?(?:ejecutad\\w+|corrid\\w+|probad\\w+|verificad\\w+))|\\bno se ejecut\\w+|\\bsin (?:ejecutar|correr|probar|verificar|haber)\\b",
  },
  fr: {
    test: "\\b(?:tests?|builds?|suite|ci|pipeline|linter|compilation|vérifications?|cas de test)\\b",
    fail: "\\b(?:échoue|échouent|échoué\\w*|en échec|en erreur|cassée?s?|rouges?|ne (?:passe|passent|fonctionne|fonctionnent|compile|compilent|marche|marchent) (?:\\w+ )?pas|ne sont pas (?:tous |toutes )?(?:verts?|au vert)|n'est pas (?:verte?|au vert)|plantent?)\\b",
    pass: "\\b(?:passe|passent|passés?|verts?|vertes?|au vert|fonctionn\\w+|terminée?s?|finie?s?|réussi\\w*|prête?s?|implémentée?s?)\\b",
    still: "\\b(?:encore|toujours|actuellement|pour l'instant|pour le moment)\\b",
    none: "\\bpas[^\\p{L}]*$|\\b(?:aucune?s?|rien|sans|zéro|jamais|pas de|pas d'|plus de|si|s'il\\w*|quand|lorsqu\\w*|au cas où|en cas d\\w*|afin que|pour que|jusqu'à)(?:\\b|(?<='))",
    gone: "\\b(?:avant|auparavant|précédemment|au début|initialement|corrig\\w+|résol\\w+|répar\\w+|supprim\\w+|retir\\w+|enlev\\w+|remplac\\w+|(?:ne |n')\\w+ plus|maintenant(?: \\w+){0,2} (?:pass\\w+|verts?|fonctionn\\w+)|(?:passe|passent|fonctionne\\w*|verts?) (?:maintenant|désormais|à présent)|comme (?:prévu|demandé|convenu|attendu)|attendue?s?|optionnel\\w*|facultati\\w+|volontaire\\w*|exprès)\\b|:\\W*(?:aucune?|rien)\\b",
    made: "\\b(?:ajout\\w+|écrit)\\b",
    except: "\\b(?:sauf(?! erreur)|excepté|hormis|à l'exception d\\w*|mis à part|à part|en dehors d\\w*)(?:\\b|(?<='))",
    most: "\\b(?:la plupart|presque (?:tou\\w*)|la majorité)\\b",
    unfinished: `\\b(?:(?:n'est|ne sont|n'ai|n'a|n'ont|n'avons|n'était|n'étaient)(?: \\w+)? pas (?:encore |tout à fait |complètement |entièrement |été )*${FR_DONE}|pas encore|inachevée?s?|incomplets?|incomplètes?|non (?:terminé|implémenté|fini)\\w*|à moitié|(?:presque|partiellement|en partie) ${FR_DONE}|en cours d\\w+)(?:\\b|(?<='))`,
    remaining:
      "\\bil (?:me |nous )?reste(?:nt|ra)?\\b(?! (?:plus )?(?:rien|aucun))|\\breste(?:nt)? (?:encore |seulement )?(?:à \\w+|\\d+|une?|deux|trois|quelques|des)\\b|\\bne (?:reste|manque)(?:nt)? (?:plus )?qu|(?<!\\bne |\\ble |\\bun |\\bdu |\\bau )\\bmanque(?:nt)?\\b(?! (?:rien|plus))|\\b(?:doit|doivent|faut|faudra\\w*|devra\\w*|dois)(?: \\w+){0,2} encore\\b|\\bencore (?:à \\w+er\\b|à faire|besoin|du travail)|\\b(?:laiss\\w+|report\\w+|remis\\w*)\\b.{0,40}\\bplus tard\\b|\\bprochaines étapes\\W*:|\\breste à faire\\b|\\btravail restant\\b",
    stub: "\\b(?:pour l'instant|pour le moment|encore|temporairement|provisoirement)\\b.{0,40}\\b(?:stubs?|bouchon\\w*|mock\\w*|factice\\w*|en dur|simulée?s?|provisoires?)\\b|\\b(?:stubs?|bouchon\\w*|factice\\w*|en dur|simulée?s?)\\b.{0,20}\\b(?:pour l'instant|pour le moment)\\b",
    unrun:
      "\\b(?:n'ai|n'a|n'avons|n'ont|n'est|ne sont) pas\\b.{0,25}\\b(?:exécut|lanc|test|vérifi|tourn)(?:é|ée|és|ées|er)\\b|\\b(?:impossible|incapable) d\\W?\\w* ?(?:exécuter|lancer|tester|vérifier|faire tourner)\\b|\\btests? non (?:exécut|lanc)\\w+|\\bsans (?:avoir )?(?:exécut|lanc|test|vérifi)(?:er|é)\\b|\\bnon testée?s?\\b|\\bn'ont pas été (?:exécut|lanc|test)\\w+",
  },
  it: {
    test: "\\b(?:test|prove|prova|build|suite|ci|pipeline|linter|compilazione|verifiche|controlli)\\b",
    fail: "\\b(?:fallisce|falliscono|fallit[oaie]|fallendo|ross[oaie]|rott[oaie]|non (?:\\w+ )?(?:passa(?:no)?|funziona(?:no)?|compila(?:no)?)|(?:va|vanno) in errore|in errore)\\b",
    pass: "\\b(?:passa(?:no)?|passat[oi]|verd[ei]|funziona\\w*|finit[oaie]|complet\\w+|pront[oaie]|superat[oaie]|implementat[oaie])\\b",
    still: "\\b(?:ancora|tuttora|continua\\w*|al momento|per ora|attualmente)\\b",
    none: "\\b(?:neanche|nemmeno|neppure|nessun\\w*|niente|nulla|senza|zero|non ci sono|mai|né|se|quando|qualora|nel caso|finché|affinché|ogni volta)\\b",
    gone: "\\b(?:prima|precedentemente|in precedenza|inizialmente|all'inizio|corrett[oaie]|risolt[oaie]|sistemat[oaie]|riparat[oaie]|rimoss[oaie]|eliminat[oaie]|tolt[oaie]|sostituit[oaie]|non(?: \\w+){1,2} più|(?:ora|adesso)(?: \\w+){0,2} (?:passa(?:no)?|funziona\\w*|verd[ei])|(?:passa(?:no)?|funziona\\w*) (?:ora|adesso)|come (?:richiesto|previsto|atteso|concordato)|previst[oaie]|opzional\\w+|facoltativ\\w+|di proposito|intenzional\\w+)\\b|:\\W*(?:nessun\\w*|niente|nulla)\\b",
    made: "\\b(?:aggiunt[oaie]|scritt[oaie])\\b",
    except: "\\b(?:tranne|eccetto|salvo|(?:a|ad|con l') ?eccezione d\\w+|a parte|esclus[oaie])\\b",
    most: "\\b(?:la maggior parte|quasi tutt[eio]|la maggioranza)\\b",
    unfinished: `\\b(?:non(?: \\w+){0,3} ${IT_DONE}|non(?: \\w+){0,2} ancora|ancora non|incomplet[oai]|(?:quasi|parzialmente|in parte) ${IT_DONE}|a metà)\\b`,
    remaining:
      "\\b(?:resta|restano|rimane|rimangono) (?:ancora |solo |soltanto )*(?:da \\w+|un\\w?|due|tre|\\d+|alcun\\w+|qualche|apert\\w|in sospeso)\\b|\\b(?:è|sono) rimast[oaie] (?:un\\w?|due|tre|\\d+|alcun\\w+|qualche)\\b|(?<!\\b(?:no|non|não|ne) )\\bmanca(?:no)?\\b(?! (?:nulla|niente))|\\b(?:devo|deve|dobbiamo|bisogna|occorre|serve|vanno|va)(?: \\w+)? ancora\\b|\\bancora (?:da \\w+|bisogno|lavoro)\\b|\\b(?:lasci\\w+|rimand\\w+)\\b.{0,40}\\b(?:per dopo|a dopo|più tardi|in seguito)\\b|\\bprossimi passi\\W*:|\\bin sospeso\\b",
    stub: "\\b(?:per ora|al momento|ancora|temporaneamente|solo)\\b.{0,40}\\b(?:stub|mock|segnaposto|fittizi[oa]|provvisori[oa]|cablat[oa]|hardcod\\w+)\\b|\\b(?:stub|segnaposto|fittizi[oa]|provvisori[oa])\\b.{0,20}\\b(?:per ora|al momento)\\b",
    unrun:
      "\\bnon(?: \\w+){0,2} (?:riuscit[oaie]|potuto|possibile)\\b.{0,20}\\b(?:esegui\\w+|lanci\\w+|testar\\w+|verificar\\w+|provar\\w+|far girare)\\b|\\bnon (?:\\w+ ){0,2}(?:eseguit|lanciat|verificat|testat)[oaie]\\b|\\bsenza (?:aver )?(?:esegui|lancia|testa|verifica)\\w+",
  },
  pt: {
    test: "\\b(?:testes?|builds?|suíte|suite|ci|pipeline|linter|compilação|verificaç\\w+|checks?)\\b",
    fail: "\\b(?:falha|falham|falhando|falharam|falhou|a falhar|quebrad[oa]s?|vermelh[oa]s?|não (?:\\w+ )?(?:passam?|passaram|funcionam?|compilam?)|com erros?)\\b",
    pass: "\\b(?:passam?|passaram|passando|verdes?|funciona\\w*|pront[oa]s?|concluíd\\w+|complet\\w+|implementad\\w+)\\b",
    still: "\\b(?:ainda|continuam?|por enquanto|por agora|no momento|atualmente)\\b",
    none: "\\b(?:nem|nenhum\\w*|nada|sem|zero|não há|não existem?|nunca|já não|se|quando|caso|até que|para que|sempre que)\\b",
    gone: "\\b(?:antes|anteriormente|inicialmente|no início|corrig\\w+|resolv\\w+|consert\\w+|remov\\w+|elimin\\w+|apag\\w+|substitu\\w+|não \\w+ mais|já não|agora(?: \\w+){0,2} (?:passam?|funciona\\w*|verdes?)|(?:passam?|funciona\\w*) agora|como (?:pedido|esperado|combinado|previsto|solicitado)|esperad[oa]s?|opciona\\w+|de propósito|intenciona\\w+)\\b|:\\W*(?:nenhum\\w*|nada)\\b",
    made: "\\b(?:adicion\\w+|acrescent\\w+|escrevi)\\b",
    except: "\\b(?:exceto|salvo|(?<!al |lo |pelo |ao )menos|(?:com|à) exceção d\\w+|tirando)\\b",
    most: "\\b(?:a maioria|a maior parte|quase tod[oa]s?)\\b",
    unfinished: `\\b(?:não (?:está\\w*|foi|foram|ficou|ficaram|fica)(?: \\w+){0,2} ${PT_DONE}|não (?:terminei|concluí|completei|implementei|acabei|finalizei)|ainda não|não(?: \\w+){1,4} ainda|incomplet[oa]s?|inacabad[oa]s?|pela metade|(?:quase|parcialmente) ${PT_DONE})\\b`,
    remaining:
      "(?<!\\b(?:no|non|não|ne) )\\b(?:faltam?|restam?|sobram?)\\b(?! nada)|\\b(?:pendentes?|pendências?)\\b|\\bainda (?:há|tenho|temos|precis\\w+|é preciso|é necessário|falta\\w*)\\b|\\b(?:deix\\w+|ficou|ficará|fica)\\b.{0,40}\\bpara (?:depois|mais tarde|outr[oa]|a próxima)\\b|\\bpróximos passos\\W*:|\\bpor (?:fazer|implementar|terminar)\\b",
    stub: "\\b(?:por enquanto|por agora|ainda|temporariamente|no momento|só|apenas)\\b.{0,40}\\b(?:stubs?|mock\\w*|simulad[oa]s?|provisóri[oa]s?|hardcod\\w+|fix[oa] no código)\\b|\\b(?:stubs?|simulad[oa]s?|provisóri[oa])\\b.{0,20}\\b(?:por enquanto|por agora)\\b",
    unrun:
      "\\bnão(?: \\w+){0,2} (?:consegui\\w*|pude|possível|deu para)\\b.{0,20}\\b(?:execut\\w+|rodar|testar|verificar|correr)\\b|\\bnão (?:\\w+ )?(?:executei|rodei|testei|verifiquei|corri)\\b|\\bnão (?:foram|foi) (?:execut|rod|test|verific)\\w+|\\bsem (?:executar|rodar|testar|ter)\\b",
  },
  ru: {
    test: "\\b(?:\\w*тест\\w*|сборк\\w+|проверк\\w+|линтер\\w*|ci|пайплайн\\w*|билд\\w*|компиляци\\w+)\\b",
    fail: "\\b(?:пада(?:ет|ют)|упал[иао]?|провал(?:ен|ил|ива)\\w*|не (?:\\w+ )?(?:проход(?:ит|ят)|прош(?:ёл|ел|ли|ла)|работа(?:ет|ют)|собира(?:ет|ют)ся|компилиру\\w+)|красн\\w+|сломан\\w*|с ошибк\\w+)\\b",
    pass: "\\b(?:проход\\w+|прош(?:ёл|ел|ли|ла)|зел[её]н\\w+|готов\\w*|работа\\w+|выполнен\\w*|реализован\\w*)\\b",
    still: "\\b(?:ещё|еще|до сих пор|по-прежнему|пока)\\b",
    none: "\\b(?:ни|нет|без|ноль|никак\\w+|больше не|если|когда|чтобы|в случае|пока не|каждый раз)\\b",
    gone: "\\b(?:раньше|ранее|прежде|до этого|сначала|изначально|исправ(?:лен|ил)\\w*|починил\\w*|устран(?:ен|ён|ил)\\w*|реш(?:ен|ён|ил)\\w*|удал(?:ен|ён|ил)\\w*|убра(?:л|н)\\w*|замен(?:ен|ён|ил)\\w*|больше не|теперь(?: \\w+){0,2} (?:проход\\w+|работа\\w+|зел[её]н\\w+)|(?:проход\\w+|работа\\w+) теперь|нечего|не осталось|как (?:ожидалось|требовалось|и просили|договаривались)|ожидаем\\w+|необязательн\\w+|опциональн\\w+|намеренно|специально)\\b|\\bнет[^\\p{L}]*$",
    made: "\\b(?:добав(?:ил|лен)\\w*|написал\\w*)\\b",
    except: "\\b(?:кроме|за исключением|исключая|не считая)\\b",
    most: "\\b(?:большинство|почти вс\\w+|большая часть)\\b",
    unfinished: `\\b(?:не (?:\\w+ )?${RU_DONE}|незаверш\\w+|недоделан\\w*|незаконч\\w+|(?:частично|почти|наполовину) ${RU_DONE})\\b`,
    remaining:
      "(?<!\\bне )\\bостал(?:ось|ся|ась|ись)\\b(?! (?:нич|без изм|прежн|тем же|так))|\\bоста[её]тся\\b(?! (?:прежн|тем же|без))|\\b(?:ещё|еще) (?:нужно|надо|необходимо|предстоит|требуется|не хватает)\\b|\\b(?:нужно|надо|предстоит|необходимо) (?:ещё|еще|будет|до(?:делать|писать|реализовать))\\b|\\bне хватает\\b|\\bоставил\\w*\\b.{0,30}\\bна потом\\b|\\b(?:позже|потом) (?:доделаю|добавлю|реализую|исправлю)\\b|\\b(?:доделаю|добавлю|реализую|исправлю)\\b.{0,30}\\b(?:позже|потом)\\b|\\bследующие шаги\\W*:",
    stub: "\\b(?:пока|временно|ещё|еще|сейчас)\\b.{0,40}\\b(?:заглушк\\w+|захардкож\\w+|мок\\w*|фиктивн\\w+)\\b|\\bзаглушк\\w+\\b.{0,20}\\b(?:пока|временно)\\b",
    unrun:
      "\\bне (?:удалось|смог\\w*|получилось|было возможности)\\b.{0,20}\\b(?:запус\\w+|прогнать|проверить|протестировать|выполнить)\\b|\\bне (?:запускал|запустил|проверял|тестировал|прогонял|запущен)\\w*|\\bтест\\w+ (?:\\w+ )?не (?:запуска|прогон|выполня)\\w*|\\bне (?:протестирован|проверен)\\w*|\\bбез запуска\\b",
  },
  zh: {
    test: "(?:测试|用例|构建|编译|检查|流水线|ci|lint)",
    fail: "(?:失败(?!时|后|的情况|场景|情况|原因|重试|处理|信息|提示|消息|状态|页面|次数|路径)|未(?:能)?通过|没有?(?:能)?通过|不通过|无法通过|没过|通不过|报错|出错|挂了|是红的|仍为红)",
    pass: "(?:通过|完成|正常|成功|绿)",
    still: "(?:仍|还|依然|尚|目前|暂时)",
    none: "(?:没有|无(?!法)|零|并无|未发现|不再|如果|若|当|一旦|假如|万一)",
    gone: "(?:之前|此前|原来|原先|先前|以前|曾|起初|一开始|已修复|修复了|修好|已解决|解决了|删除|移除|清除|替换|去掉|不再|现在.{0,8}通过|没有了|没有(?:剩余|遗留|未完成|其他|任何)|无(?:剩余|遗留|未完成)|预期|可选|按要求|有意|故意|(?<!\\d)0 ?[个项]|零个|[:：]\\s*无)",
    made: "(?:添加|新增|增加|编写了|补充)",
    except: "(?:除了?[^，。]{1,30}(?:以外|之外|外)|除了)(?!.*(?:还(?!有)|也|同时|另外))",
    most: "(?:大部分|大多数|几乎所有|多数)",
    unfinished:
      "(?:(?:还|尚|仍|暂|目前)(?:没有?|未|不)(?:完全|全部)?(?:完成|实现|做完|写完|结束|修复|解决|支持|编写|处理|就绪|准备好|弄好|搞定|通过)|未完成|未实现|没有?(?:完成|做完|写完|实现)|尚未|还没有?[^\\p{L}]*$|半成品|(?:部分|基本|大部分|大致|几乎)(?:完成|实现))",
    remaining:
      "(?:[只就仅]差|(?:还|仍|尚)(?:需要?|要|得|须|有待|缺|差)|有待|剩余的?(?:工作|任务|部分|问题|测试)|剩下|待办(?!应用|列表|清单|事项)|待(?:完成|实现|处理|修复|补充)|稍后|(?:之后|以后|后续)(?:再|需要|还|会|将)|留(?:待|到)|需要(?:进一步|后续)|下一步(?:需要|将|要|是|[:：]))",
    stub: "(?:暂时|目前|仍|还|先|只是|暂)[^，。]{0,12}(?:桩|占位|假数据|模拟|写死|硬编码|空实现|stub|mock)|(?:桩|占位|写死|硬编码|stub|mock)[^，。]{0,8}(?:暂时|待|稍后)",
    unrun:
      "(?:无法|没有?|未能?|不能|没能|没法|还没|尚未|来不及)(?:成功|实际)?(?:运行|执行|跑|验证)|(?:未经|无法|没法|还没|尚未)(?:过)?测试(?!失败)",
  },
  ja: {
    test: "(?:テスト|ビルド|検証|リント|コンパイル|ci|チェック|型検査)",
    fail: "(?:失敗(?:し(?:ます|ました|てい(?:ます|る)|ており|た(?:まま)?(?=[^\\p{L}]*$))|する(?=[^\\p{L}]*$)|中|のまま|(?=[^\\p{L}]*$)|(?:した|する|している)(?:テスト|もの)[がは].{0,14}(?:あります|ある|残))|落ち(?:ます|てい|ました)|通(?:りません|ってい?ません|らない|っていない|らず)|パスし(?:ません|ない|ていません|ていない)|赤(?:い|のまま|です)|エラーに(?:なり|なって)|壊れて)",
    pass: "(?:通(?:り|っ|る)|成功|パスし|完了|合格|グリーン)",
    still: "(?:まだ|依然|いまだ|未だ|現在も|今も|現時点)",
    none: "(?:ゼロ|もし)",
    gone: "(?:以前|前は|当初|最初は|これまで|修正し(?:ました|た|済)|直し(?:ました|た)|修正済|解決(?:し|済)|削除|除去|取り除|置き換え|解消|(?<!では|じゃ)ありません|なくな|なし(?!$)|ないこと|今は.{0,10}(?:通|成功|パス)|現在は.{0,12}(?:通|成功|パス)|想定(?:通り|どおり)|意図的|任意|オプション|場合|とき|時(?:に|は)|(?<!\\d)0 ?[件個つ])",
    made: "(?:追加し|作成し|書きました)",
    except: "(?:を除(?:いて|き|く|けば)|以外)",
    most: "(?:ほとんど|大半|大部分|ほぼすべて)",
    unfinished:
      "(?:(?:まだ|未だ|完全には)[^。]{0,20}(?:てい(?:ません|ない)|ではありません|できていません|でき(?:ません|ない)|おりません|途中)|(?:完了|完成|対応|実装)して(?:い|お)(?:ません|りません|ない)|未(?:完成|完了|実装|対応|着手|解決|検証|修正|処理)|終わって(?:い(?:ません|ない)|ません)|途中(?:です|まで)|一部(?:のみ|だけ|しか)|ほぼ(?:完了|完成)|作業中|対応中)",
    remaining:
      "(?:(?:あとは|残りは).{0,12}(?:だけ|のみ)|残って(?:い(?:ます|る)|おり)|残(?:り(?:の)?(?:作業|タスク|課題|は|[:：])|作業|タスク|課題)|(?:実装|修正|対応|追加|テスト|作業|確認)(?:が|する必要が|を行う必要が)(?:まだ)?(?:必要|ある|あります)|まだ.{0,12}必要|(?:後で|後ほど|後日|今後|次回|これから)(?:に|は|、)?(?:実装|対応|追加|修正|直|行|の課題)|後回し|足りません|不足して)",
    stub: "(?:仮実装|暫定(?:的|実装|対応)|スタブ(?:です|のまま|になって|実装|を返)|ダミー(?:値|データ)?(?:です|のまま|を返)|ハードコードされて|プレースホルダー?(?:です|のまま))",
    unrun:
      "(?:実行|確認|検証|テスト)(?:は|を|も)?(?:まだ)?(?:でき(?:ません|ず|ていません|ない|なかった|ておりません)|して(?:い(?:ません|ない)|おりません)|しませんでした|行って(?:い)?(?:ません|ない))|未実行|未テスト|動かせ(?:ません|ず|ない)",
  },
  ko: {
    test: "(?:테스트|빌드|검사|린트|컴파일|ci|검증|파이프라인)",
    fail: "(?:실패(?:합니다|하고 ?있|했습니다|했다|한다|중|해요|함|(?=[^\\p{L}]*$)|(?:한|하는) 테스트[가이]? .{0,12}(?:있|남))|통과하지 ?(?:못|않)|통과되지|깨(?:집니다|져|진)|빨간|오류가 (?:납|발생)|미통과)",
    pass: "(?:통과|성공|완료|정상)",
    still: "(?:아직|여전히|계속|현재)",
    none: "(?:만약)",
    gone: "(?:이전에|전에는|예전|기존에|처음에|수정했|수정하였|고쳤|해결했|해결되었|제거|삭제|교체|대체|(?<!수 ?|수가 ?)없(?:습니다|음|다|었|애|으|이)|더 ?이상|이제.{0,12}통과|예상대로|의도적|선택 ?사항|선택적|경우|[하되]면|때(?!문)|(?<!\\d)0 ?[개건])",
    made: "(?:추가했|추가하였|작성했)",
    except: "(?:제외|빼고)",
    most: "(?:대부분|거의 모든)",
    unfinished:
      "(?:(?:아직|완전히) .{0,20}(?:않|못했|못합|안 ?(?:됐|되|했)|없습니다|아닙니다|전입니다)|(?:완료|완성|구현|해결|마무리|수정|지원|처리)(?:되|하)지 ?(?:않|못)|미(?:완성|완료|구현|해결|처리)|끝나지 ?않|부분적으로|일부만|거의 (?:완료|완성|다))",
    remaining:
      "(?:남아 ?있|남았|남은 (?:작업|일|과제|테스트|문제|항목)|(?:더|추가로|아직) .{0,20}(?:해야|필요)|(?:구현|수정|작성|마무리|완료)해야 (?:합니다|한다|함|할)|(?:나중에|추후에?|다음에) .{0,12}(?:구현|추가|수정|처리|하겠|예정)|할 일이 (?:남|있))",
    stub: "(?:임시|가짜|더미|스텁|목업|하드코딩)[^.]{0,14}(?:상태|입니다|되어 ?있|구현|두었|반환)",
    unrun:
      "(?:실행|테스트|검증|확인)(?:을|를|은|는)? ?(?:아직 )?(?:하지|해 ?보지|할 수|돌리지) ?(?:못|않|없)|못 ?돌|돌려 ?보지|테스트되지|미실행",
  },
};
