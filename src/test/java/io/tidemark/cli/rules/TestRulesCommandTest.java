package io.tidemark.cli.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.app.CommandFailure;
import io.tidemark.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests in files, and what the command says of those that fail. */
class TestRulesCommandTest {

  static final String RULES = """
      rules:
        - name: big-fall
          on: pool.changes
          when: |
            changed.price && price.move_percent < -20
              && (about.reserve_usd > settings.floor || network == "a && b")
          cooldown: 30m
          settings: { floor: 50000 }
          annotations: { summary: "{{ price.move_percent | change }}" }
        - name: thin
          on: pool.changes
          kind: condition
          when: liquidity.reserve_in_usd < 1000
          for: 10m
          annotations: { summary: thin }
        - name: promised
          on: pool.changes
          after: appeared.kind == "created"
          within: 10m
          when: moved(price.base_token_price_usd, "5m") > 50
          annotations: { summary: rose }
      """;

  static final String RECORDS =
      """
          tests:
            - name: one
              records:
                - { at: 0s, topic: pool.changes, key: a, network: eth, price.base_token_price_usd: 4, liquidity.reserve_in_usd: 40000 }
                - { at: 5m, price.base_token_price_usd: 2 }
                - { at: 6m, price.base_token_price_usd: 1, liquidity.reserve_in_usd: 90000 }
                - { at: 7m, price.base_token_price_usd: 0.5 }
                - { at: 8m, liquidity.reserve_in_usd: 100 }
                - { at: 9m, liquidity.reserve_in_usd: 2000 }
          """;

  final StringWriter out = new StringWriter();
  final StringWriter err = new StringWriter();

  @TempDir
  Path folder;

  @Test
  void differences_areExplained() throws IOException {
    write("mine.yaml", RULES);
    write("test.yaml", "rule_files: [mine.yaml]\n" + RECORDS + """
            alerts:
              - { at: 5m, rule: big-fall, key: a }
              - { at: 7m, rule: big-fall, key: a }
              - { at: 8m, rule: big-fall, key: b }
              - { at: 18m, rule: thin, key: a }
              - { at: 9m, rule: promised, key: a }
              - { at: 8m, rule: thin, key: a, status: pending }
          - name: other
            records: [ { at: 0s, topic: pool.changes, key: a, liquidity.reserve_in_usd: 100 } ]
            alerts: [ { at: 10m, rule: thin, key: a } ]
        """);

    assertThat(run("test.yaml")).isEqualTo(CommandFailure.PROBLEM_FOUND);
    assertThat(out.toString()).isEqualTo(
        """
            FAILED  %s: one
              missing: 5m, big-fall of a, fired, labels {}
                at 5m, (about.reserve_usd > settings.floor || network == "a && b") is false; about.reserve_usd = 40000.0\
            ; network = eth
                found: 6m, big-fall of a, fired, labels {}: -50.0 %%
              missing: 7m, big-fall of a, fired, labels {}
                at 7m, the condition holds; for: 0s, times: 1, within: 0s, cooldown: 30m
                found: 6m, big-fall of a, fired, labels {}: -50.0 %%
              missing: 8m, big-fall of b, fired, labels {}
                no record of pool.changes with this key until then (a baseline does not count)
              missing: 18m, thin of a, firing, labels {}
                at 9m, liquidity.reserve_in_usd < 1000 is false; liquidity.reserve_in_usd = 2000.0
                found: 8m, thin of a, pending, labels {}: thin
                found: 9m, thin of a, resolved (over), labels {}: thin
              missing: 9m, promised of a, fired, labels {}
                at 9m, moved(price.base_token_price_usd, "5m") > 50 is false; moved(price.base_token_price_usd, "5m") = -87.5
                at 9m, appeared.kind == "created" has no data
              unexpected: 6m, big-fall of a, fired, labels {}: -50.0 %%
            ok      %s: other
            """
            .formatted(folder.resolve("test.yaml"), folder.resolve("test.yaml")));
  }

  @Test
  void longConditionWithComments_isExplained() throws IOException {
    write("mine.yaml", RULES.replace("price.move_percent < -20\n", "price.move_percent < -20 // don't (explain\n")
        .replace("network == ",
            "network == 'x' // a && b\n        || " + "network == 'y' || ".repeat(80) + "network == "));
    write("test.yaml", "rule_files: [mine.yaml]\n" + RECORDS + "    alerts: [ { at: 5m, rule: big-fall, key: a } ]\n");

    assertThat(run("test.yaml")).as(err.toString()).isEqualTo(CommandFailure.PROBLEM_FOUND);
    assertThat(out.toString()).contains("at 5m, (about.reserve_usd > settings.floor || network == 'x' // a && b\n",
        "network == \"a && b\") is false; about.reserve_usd = 40000.0; network = eth");
  }

  @Test
  void recordedLines_areRecords() throws IOException {
    write("changes.jsonl", """
        {"topic": "tidemark.pool.changes", "key": "a", "timestamp": 1767225700000, "value": {"id": "a", "generation": 5,
        """.strip()
        + """
             "about": {"name": "[REDACTED] / SOL"}, "origin": {"observed_at": 1767225699000}, "liquidity": {"before": null, "after": {"reserve_in_usd": "1"}}}}
            {"topic": "tidemark.control", "key": "tick", "timestamp": 1767225701000, "value": {}}
            """);
    write("test.yaml", RULES + """
        tests:
          - name: recorded
            recorded: changes.jsonl
            alerts: [ { at: "2026-01-01T00:11:39Z", rule: thin, key: a } ]
        """);

    assertThat(run("test.yaml")).as(out + "" + err).isZero();
  }

  @Test
  void spacesInATextOfACondition_areKept() throws IOException {
    write("mine.yaml", RULES.replace("a && b", "a  b"));
    write("test.yaml", RULES.replace("name: ", "name: other-")
        + "rule_files: [mine.yaml]\n" + RECORDS.replace("eth", "a  b") + """
                alerts:
                  - { at: 5m, rule: big-fall, key: a, labels: { no: label } }
            """);

    assertThat(run("test.yaml")).as(err.toString()).isEqualTo(CommandFailure.PROBLEM_FOUND);
    assertThat(out.toString()).contains("at 5m, the condition holds; for: 0s");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`',
      textBlock = """
          { rule: thn, at: 1m, key: a }           |                             | 32:11: tests[0].alerts[0].rule: no rule has
          { rule: thin, at: 1 m 2, key: a }       |                             | 32:23: tests[0].alerts[0].at: '1 m 2' is ne
          { rule: thin, at: 1m, key: a, stat: x } |                             | 32:39: tests[0].alerts[0]: unknown key 'sta
          { rule: thin, at: 1m, key: a }          | , price.move_percent: 4     | follows from the other values of the record
          { rule: thin, at: 1m, key: a }          | , about.nam: x              | about.nam: unknown; did you mean about.name?
          { rule: thin, at: 1m, key: a }          | , revision: x               | 'x' is not of the type long
          """)
  void wrongFile_isReportedWithLineAndRemedy(String alert, String value, String message) throws IOException {
    write("test.yaml", RULES + RECORDS.replace("liquidity.reserve_in_usd: 40000",
        "liquidity.reserve_in_usd: 40000" + (value == null ? "" : value)) + "    alerts:\n      - " + alert + "\n");

    assertThat(run("test.yaml")).isEqualTo(CommandFailure.WRONG_USAGE);
    assertThat(err.toString()).startsWith("tidemark: " + folder.resolve("test.yaml") + ":").contains(message);
  }

  @Test
  void recordEarlierThanTheOneBefore_isReported() throws IOException {
    write("test.yaml", RULES + RECORDS.replace("at: 6m", "at: 4m"));

    assertThat(run("test.yaml")).isEqualTo(CommandFailure.WRONG_USAGE);
    assertThat(err.toString()).contains("test.yaml:27:11: tests[0].records[2].at: earlier than the previous record");
  }

  @Test
  void keyOfAMapThatIsKnownAsOneText_isRejected() throws IOException {
    write("test.yaml", """
        rules:
          - { name: r, on: global.changes, when: "changed.dominance", annotations: { summary: x } }
        tests:
          - name: one
            records:
              - { at: 0s, topic: global.changes, key: g, dominance.market_cap_percentage: '{ "btc": 40 }' }
              - { at: 1m, dominance.market_cap_percentage.btc: 39 }
        """);

    assertThat(run("test.yaml")).isEqualTo(CommandFailure.WRONG_USAGE);
    assertThat(err.toString()).contains("test.yaml:7:", "records[1].dominance.market_cap_percentage.btc: is a key");
  }

  private void write(String file, String text) throws IOException {
    Files.writeString(folder.resolve(file), text);
  }

  private int run(String file) {
    var main = Main.commandLine();
    return main.setOut(new PrintWriter(out)).setErr(new PrintWriter(err))
        .execute("rules", "test", folder.resolve(file).toString());
  }
}
