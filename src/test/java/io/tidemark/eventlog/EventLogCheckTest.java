package io.tidemark.eventlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A good event log passes the check, and the check reports any alteration of it. */
class EventLogCheckTest {
  static final Topics TOPICS = new Topics("t.", Retention.DEFAULT);
  static final Bodies BODIES = bodies();
  static final List<String> GOOD = EventLogFile.lines(text("good-event-log.ndjson"));

  static final String GLOBAL_AGAIN = "t.global.changes/global/1760000001000/2";
  static final String POOL_AGAIN = "t.pool.changes/eth_0xa/1760000003000/2";

  @Test
  void goodEventLog_passes() {
    assertThat(check(GOOD)).isEmpty();
  }

  @Test
  void droppedChange_isMissed() {
    var eventLog = GOOD.stream().filter(line -> !line.contains(GLOBAL_AGAIN)).toList();

    assertThat(check(eventLog)).extracting(Violation::law, Violation::resource)
        .contains(tuple("nothing is missing", "global"));
  }

  @Test
  void doubledChange_isDetected() {
    var eventLog = new ArrayList<>(GOOD);
    eventLog.add(line(GLOBAL_AGAIN));

    assertThat(check(eventLog)).extracting(Violation::law)
        .contains("nothing is invented");
  }

  @Test
  void droppedResourceInItsFirstSnapshot_isMissed() {
    var eventLog =
        GOOD.stream().filter(line -> !line.contains("eth_0xb/") && !line.contains("\"known\": {\"id\": \"eth_0xb"))
            .toList();

    assertThat(check(eventLog)).extracting(Violation::law).containsOnly("nothing is missing");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "an altered digit            | price.base_token_price_usd | \"0.0000246800\"}, \"move | \"0.0000246801\"}, \"move",
    "a digit left out            | price.base_token_price_usd | \"0.0000246800\"}, \"move | \"0.00002468\"}, \"move",
    "a frame out of turn         | key_frame                   | \"key_frame\": false | \"key_frame\": true",
    "a baseline out of turn      | baseline                   | \"baseline\": false | \"baseline\": true",
    "another network             | network                    | \"network\": \"eth\" | \"network\": \"base\"",
    "another time of observation | origin.observed_at         | \"observed_at\": 1760000013000 | \"observed_at\": 1760000013001",
  })
  void tamperedChange_isDetected(String what, String where, String good, String bad) {
    assertThat(check(with(POOL_AGAIN, line -> replaced(line, good, bad)))).extracting(Violation::where).contains(where);
  }

  @Test
  void facetLeftOut_isMissed() {
    var bad = with(GLOBAL_AGAIN, line -> replaced(line, "\"counts\": {\"before\"", "\"nothing\": {\"before\"")
        .replace("counts,times", "times"));

    assertThat(check(bad)).extracting(Violation::law, Violation::where)
        .contains(tuple("nothing is missing", "counts"));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "t.ranking.changes/eth/new/1760000003000/2 | \"rank\": 1            | \"rank\": 2          | a ranking is the list",
    "t.ranking.changes/eth/new/1760000003000/2 | \"size\": 2            | \"size\": 3          | a ranking is the list",
    "t.pool.changes/eth_0xb/1760000013000/1    | \"created\"            | \"found\"            | only what is new appears as new",
    "t.holding.changes/strategy/ether/1760000002000/2 | \"closed\"      | \"expired\"          | what is absent is removed",
    "t.holding.changes/strategy/ether/1760000002000/2 | {\"reason\": \"closed\"} | null        | what is absent is removed",
    "t.token.changes/eth_0xta/1760000003000/2  | \"reserve_usd\": 1000.5}, \"before_obs | \"reserve_usd\": 9.5}, \"before_obs | a token's pool_price is that of a pool",
    "{\"topic\": \"t.target.state\", \"partition\": 0, \"offset\": 4 | \"snapshot\": 2    | \"snapshot\": 3     | every snapshot is in the event log",
    "{\"topic\": \"t.target.state\", \"partition\": 0, \"offset\": 4 | \"a5\"          | \"a9\"           | every snapshot is in the event log",
    "{\"topic\": \"t.target.state\", \"partition\": 0, \"offset\": 4 | \"digest\": \"  | \"digest\": \"0  | every snapshot is in the event log",
  })
  void tamperedRecord_breaksItsLaw(String record, String good, String bad, String law) {
    assertThat(check(with(record, line -> replaced(line, good, bad)))).extracting(Violation::law).contains(law);
  }

  @Test
  void offences_areReportedReadably() {
    var eventLog =
        EventLogFile.read(String.join("\n", with(POOL_AGAIN, line -> line.replace("0.0000246800", "0.5"))), TOPICS);

    assertThatThrownBy(() -> EventLogCheck.holds(eventLog, BODIES, true))
        .hasMessageContaining("pool eth_0xa revision 2, price.base_token_price_usd")
        .hasMessageContaining("expected 0.0000246800")
        .hasMessageContaining("found    0.5");
  }

  private static List<Violation> check(List<String> lines) {
    return EventLogCheck.check(EventLogFile.read(String.join("\n", lines), TOPICS), BODIES, true);
  }

  private static String line(String part) {
    return GOOD.stream().filter(line -> line.contains(part)).findFirst().orElseThrow();
  }

  /** Returns the good event log with one line altered. */
  private static List<String> with(String part, UnaryOperator<String> altered) {
    var line = line(part);
    return GOOD.stream().map(each -> each.equals(line) ? altered.apply(each) : each).toList();
  }

  private static String replaced(String line, String good, String bad) {
    assertThat(line).contains(good);
    return line.replace(good, bad);
  }

  private static Bodies bodies() {
    try {
      return Bodies.read(path("good-journal.ndjson"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(String name) {
    try {
      return Files.readString(path(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path path(String name) {
    try {
      return Path.of(Objects.requireNonNull(EventLogCheckTest.class.getResource(name)).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
