declare module "textlint-rule-terminology" {
  import type { TextlintFixableRuleModule } from "@textlint/types";

  const rule: TextlintFixableRuleModule;
  export default rule;
}
