/*
 * The supervisor of commands, in Perl, because Node cannot become a subreaper. One process prepares several, so that its
 * start and Node's fork are paid once for all of them: it inherits four sockets for each (control, input, output,
 * errors). Everything that a command starts and that loses its parent
 * becomes a child of its supervisor, whatever it does to its session, environment, folder or name.
 *
 * Control, from Ralph: the job. To Ralph: `pid <command> <supervisor>`, then `error <errno>` if it could not be started,
 * then `exit <status> <1 if it left processes>`. The supervisor exits when no process is left. When the control socket
 * closes, also because Ralph has died, it kills all that are left. If a supervisor is killed, the first process inherits
 * its processes and kills them.
 */
export const SUPERVISOR_SCRIPT = String.raw`
my ($prctl, $setsid, $slots) = @ARGV;
my $nohang = 1;
my $eintr = 4;
my %handle;

sub adopt { syscall $prctl, 36, 1, 0, 0, 0 }
sub children {
  open my $list, "<", "/proc/$$/task/$$/children" or return;
  return split " ", scalar(<$list>) // "";
}
sub readable {
  my ($timeout, @fds) = @_;
  my $bits = "";
  vec($bits, $_, 1) = 1 for @fds;
  return select($bits, undef, undef, $timeout) > 0 ? grep { vec($bits, $_, 1) } @fds : ();
}
sub receive {
  my ($control) = @_;
  my ($text, $size) = ("");
  until (defined $size && length $text >= $size) {
    my $read = sysread $control, $text, 65536, length $text;
    next if !defined $read && $! == $eintr;
    return if !$read;
    $size = $1 if !defined $size && $text =~ s/^(\d+)\n//;
  }
  return split /\0/, $text, -1;
}
sub forget { close delete $handle{$_} for @_ }
sub execute {
  my ($first, $folder, $has_input, $variables, @words) = @_;
  $SIG{$_} = "DEFAULT" for qw(INT TERM HUP QUIT PIPE CHLD);
  syscall $setsid;
  my %environment = map { split /=/, $_, 2 } splice @words, 0, $variables;
  %ENV = %environment;
  open STDIN, "<&", $handle{$first + 1} if $has_input;
  open STDOUT, ">&", $handle{$first + 2};
  open STDERR, ">&", $handle{$first + 3};
  chdir $folder and exec { $words[0] } @words;
  syswrite $handle{$first}, "error " . ($! + 0) . "\n";
  exit 127;
}
sub supervise {
  my ($first) = @_;
  forget(grep { $_ < $first || $_ > $first + 3 } keys %handle);
  adopt();
  my ($token, @job) = receive($handle{$first}) or exit 0;
  $0 = "ralph-supervisor $token";
  my $command = fork;
  execute($first, @job) if defined $command && $command == 0;
  my $control = $handle{$first};
  forget($first + 1 .. $first + 3);
  exit 1 if !defined $command;
  syswrite $control, "pid $command $$\n";
  my $exit = syscall 434, $command, 0;
  my ($status, $reported);
  while (1) {
    my $pid;
    while (($pid = waitpid -1, $nohang) > 0) {
      $status = $? if $pid == $command && !defined $status;
    }
    if (defined $status && !$reported) {
      syswrite $control, "exit $status " . ($pid < 0 ? 0 : 1) . "\n";
      $reported = 1;
    }
    last if $pid < 0;
    my @exit = !$reported && $exit >= 0 ? $exit : ();
    last if grep { $_ == $first } readable(@exit ? 5 : $reported ? 1 : 0.05, $first, @exit);
  }
  $SIG{CHLD} = "DEFAULT";
  do { kill "KILL", children() } while waitpid(-1, 0) > 0;
  exit 0;
}

$SIG{$_} = "IGNORE" for qw(INT TERM HUP QUIT PIPE);
$SIG{CHLD} = sub { };
$0 = "ralph-supervisor";
exit 1 if adopt() == -1;
open $handle{$_}, "+<&=", $_ for 3 .. 2 + 4 * $slots;
my %supervisor;
for my $first (map { 3 + 4 * $_ } 0 .. $slots - 1) {
  my $pid = fork;
  supervise($first) if defined $pid && $pid == 0;
  $supervisor{$pid} = 1 if defined $pid;
  forget($first .. $first + 3);
}
my $orphans = 0;
while (%supervisor || $orphans) {
  my $pid = waitpid -1, $orphans ? $nohang : 0;
  $orphans = 1 if $pid > 0 && delete $supervisor{$pid} && $?;
  next if !$orphans;
  my @orphans = grep { !$supervisor{$_} } children();
  kill "KILL", @orphans;
  $orphans = @orphans;
  select undef, undef, undef, 0.005 if $pid <= 0 && $orphans;
}
`;
