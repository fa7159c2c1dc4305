package io.tidemark.bench;

import static java.util.Objects.requireNonNull;

import io.tidemark.app.config.Settings;
import io.tidemark.capture.change.ChangeDetector;
import io.tidemark.capture.ledger.Deadlines;
import io.tidemark.capture.ledger.Ledger;
import io.tidemark.capture.ledger.ProducerFactory;
import io.tidemark.capture.poll.WatchList.WatchedTarget;
import io.tidemark.capture.source.SourceSettings;
import io.tidemark.cli.demo.SimulatedMarketServer;
import io.tidemark.event.Origin;
import io.tidemark.kafka.ResourceTopics;
import io.tidemark.market.Answer;
import io.tidemark.market.Failure;
import io.tidemark.market.Operation;
import io.tidemark.market.Query;
import io.tidemark.market.Snapshot;
import io.tidemark.market.Target;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.Simulator;
import io.tidemark.simulator.SimulatorSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A writer of the records that a demo writes while it runs, in virtual time and without HTTP. It polls each target of
 * the demo's watch list at the pace at which the market refreshes it, and commits a transaction and a tick each
 * second. The shipped rules are in force.
 */
final class DemoHistory {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final String CONFIGURATION = "/io/tidemark/cli/demo/demo.yaml";
  private static final String SOURCES = "sources:\n";
  private static final String KAFKA = "kafka: { bootstrap-servers: 127.0.0.1 }\n";

  private final BenchSource source;
  private final SourceSettings demo = settings();
  private final Simulator market;
  private final ChangeDetector detector;
  private final Map<Target, Instant> due = new HashMap<>();
  private Instant now;

  /** @param start time at which the demo begins */
  DemoHistory(BenchSource source, Scenario scenario, Instant start) {
    this.source = source;
    this.now = start;
    this.market = new Simulator(
        new SimulatorSettings(1, scenario, SimulatorSettings.DEMO_SPEED), InstantSource.fixed(start));
    this.detector = demo.detector(source.topics().retention().changes(), start, start);
  }

  /** Returns the source of the demo's configuration. */
  private static SourceSettings settings() {
    var refresh = SimulatedMarketServer.refreshAt(SimulatorSettings.DEMO_SPEED);
    var values = new HashMap<>(Map.of("MARKET_URL", "http://127.0.0.1", "MARKET_KEY", "bench"));
    for (var operation : Operation.values()) {
      values.put("REFRESH_" + operation.name(), refresh.apply(operation).toMillis() + "ms");
    }
    try (var in = requireNonNull(DemoHistory.class.getResourceAsStream(CONFIGURATION))) {
      var text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return Settings.parse(CONFIGURATION, KAFKA + text.substring(text.indexOf(SOURCES)), values::get)
          .sources().getFirst();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes all records until the given time. */
  void writeUntil(Instant end) {
    try (var ledger = source.ledger(ProducerFactory.KAFKA, () -> now)) {
      var resources = source.topics().resources().stream().map(ResourceTopics::resource).toList();
      var deadlines = new Deadlines(detector, ledger.states(), resources, (target, now) -> true);
      StreamLoad.announceRules(ledger, source, List.of());
      for (; now.isBefore(end); now = now.plus(SECOND)) {
        demo.watch().targets().forEach(watched -> pollIfDue(watched, ledger, deadlines));
        expire(ledger, deadlines, now);
        ledger.commit();
        ledger.tick();
      }
    }
  }

  private void pollIfDue(WatchedTarget watched, Ledger ledger, Deadlines deadlines) {
    var target = watched.target();
    if (!now.isBefore(due.getOrDefault(target, now))) {
      deadlines.note(ledger.append(detector.detect(snapshot(target), ledger.states())), now);
      due.put(target, now.plus(watched.period()));
    }
  }

  private static void expire(Ledger ledger, Deadlines deadlines, Instant now) {
    for (var update = deadlines.poll(now); update != null; update = deadlines.poll(now)) {
      var change = requireNonNull(update.change());
      ledger.append(update, (Origin) change.get(change.getSchema().getField("origin").pos()));
      deadlines.note(update, now);
    }
  }

  private Snapshot snapshot(Target target) {
    var answers = new ArrayList<Answer<?>>();
    try {
      for (var page = 1; page <= target.pages(); page++) {
        var query = target.query() instanceof Query.Paged<?> list ? list.withPage(page) : target.query();
        answers.add(requireNonNull(query.askOf(market.at(now)).block()));
      }
      return new Snapshot(target, answers, false, null, now, now);
    } catch (Failure e) {
      return new Snapshot(target, answers, false, e, now, now);
    }
  }
}
