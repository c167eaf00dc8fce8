import { Component, type ComponentType } from "preact";

/** A component that renders again only if one of its props is another value. */
export function stable<Props extends object>(Inner: ComponentType<Props>): ComponentType<Props> {
  return class extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      return differs(this.props, next);
    }
    override render() {
      return <Inner {...this.props} />;
    }
  };
}

function differs<Props extends object>(before: Props, after: Props): boolean {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof Props>;
  return [...keys].some((key) => before[key] !== after[key]);
}
