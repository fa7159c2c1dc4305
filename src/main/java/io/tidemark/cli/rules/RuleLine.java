package io.tidemark.cli.rules;

import io.tidemark.rule.Rule;

/** A rule on one line. */
final class RuleLine {

  private RuleLine() {}

  static String of(Rule rule) {
    return "%-22s on %-22s %-9s %s".formatted(rule.name(), rule.on(), rule.kind(), rule.severity());
  }
}
