package io.tidemark.cli.print;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** A tally for programs: figures of each rule, and every alert as it is on its topic. */
public final class BacktestJson {

  private BacktestJson() {}

  public static ObjectNode of(BacktestResult tally) {
    var json = JsonNodeFactory.instance.objectNode();
    json.put("from", tally.from().toString()).put("to", tally.to().toString()).put("days", tally.days());
    var rules = json.putObject("rules");
    tally.rules().forEach((name, rule) -> rules.set(name, rule(rule)));
    var alerts = json.putArray("alerts");
    tally.alerts().forEach(alert -> alerts.add(RecordJson.value(alert)));
    return json;
  }

  private static ObjectNode rule(BacktestResult.RuleResult rule) {
    var json = JsonNodeFactory.instance.objectNode();
    rule.versions().forEach(json.putArray("versions")::add);
    json.put("fires", rule.fires())
        .put("resolves", rule.resolves())
        .put("passed", rule.passed())
        .put("per_day", rule.perDay());
    var days = json.putObject("by_day");
    rule.byDay().forEach((day, fires) -> days.put(day.toString(), fires));
    return json;
  }
}
