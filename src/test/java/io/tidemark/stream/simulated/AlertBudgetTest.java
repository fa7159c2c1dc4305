package io.tidemark.stream.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.app.config.Settings;
import io.tidemark.capture.poll.WatchList;
import io.tidemark.cli.demo.DemoCommand;
import io.tidemark.event.Alert;
import io.tidemark.market.Operation;
import io.tidemark.market.RefreshRate;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.SimulatorSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;

/**
 * How many alerts the shipped rules publish in an hour, with the watch list of the demo: on the simulator's calm day and
 * on its launch day, through detection and the whole topology, in virtual time. {@link ScenariosTest} shows that they
 * miss no incident. {@code -Dtidemark.alert-hours=24} measures a day, {@code -Dtidemark.alert-speed=20} the demo.
 */
class AlertBudgetTest {

  private static final Instant START = Instant.parse("2026-03-04T10:00:00Z");
  private static final int HOURS = Integer.getInteger("tidemark.alert-hours", 1);
  private static final long SEED = Long.getLong("tidemark.alert-seed", 1);
  private static final int SPEED = Integer.getInteger("tidemark.alert-speed", 1);
  private static final int WARNINGS_ON_A_CALM_DAY = 6;
  private static final int INFOS_ON_A_CALM_DAY = 30;
  private static final int ALL_ON_A_LAUNCH_DAY = 60;

  /** The alerts of one hour that receivers are notified of; a condition that resolved is a second one. */
  private record Hour(List<Alert> alerts) {

    static double mean(List<Hour> hours, ToLongFunction<Hour> count) {
      return hours.stream().mapToLong(count).average().orElseThrow();
    }

    long count(Predicate<Alert> some) {
      return alerts.stream().filter(some).count();
    }

    long warnings() {
      return count(alert -> begins(alert) && alert.getSeverity().equals("warning"));
    }

    long warningsAndCritical() {
      return count(alert -> begins(alert) && !alert.getSeverity().equals("info"));
    }

    long infos() {
      return count(alert -> begins(alert) && alert.getSeverity().equals("info"));
    }

    private static boolean begins(Alert alert) {
      return !alert.getStatus().equals("resolved");
    }
  }

  @Test
  void calmDay_staysWithinTheBudget() {
    var hours = watch(Scenario.CALM);

    assertThat(hours).extracting(Hour::warnings).allMatch(warnings -> warnings <= WARNINGS_ON_A_CALM_DAY);
    assertThat(Hour.mean(hours, Hour::warningsAndCritical)).isLessThanOrEqualTo(WARNINGS_ON_A_CALM_DAY);
    assertThat(hours).extracting(Hour::infos).allMatch(infos -> infos <= INFOS_ON_A_CALM_DAY);
  }

  @Test
  void launchDay_staysWithinTheBudget() {
    var hours = watch(Scenario.LAUNCH_DAY);

    assertThat(hours).extracting(hour -> hour.alerts().size()).allMatch(all -> all <= ALL_ON_A_LAUNCH_DAY);
  }

  private static List<Hour> watch(Scenario scenario) {
    var list = watchList();
    var targets = list.targets().stream().map(WatchList.WatchedTarget::target).toList();
    var periods = new HashMap<String, Duration>();
    list.targets().forEach(watched -> periods.put(watched.target().name(), watched.period()));
    var tick = SPEED > 1 ? Duration.ofSeconds(1) : WatchedMarket.TICK;
    var hours = new ArrayList<Hour>();
    var settings = new SimulatorSettings(SEED, scenario, SPEED);
    try (var market = new WatchedMarket(targets, settings, START)) {
      for (var hour = 1; hour <= HOURS; hour++) {
        market.watch(tick, periods, START.plus(Duration.ofHours(hour)));
        hours.add(new Hour(market.topology.alerts().stream().filter(AlertBudgetTest::isNotified).toList()));
      }
    }
    print(scenario, hours);
    return hours;
  }

  private static boolean isNotified(Alert alert) {
    return switch (alert.getStatus()) {
      case "fired", "firing" -> true;
      case "resolved" -> alert.getFiredAt() != null;
      default -> false;
    };
  }

  private static void print(Scenario scenario, List<Hour> hours) {
    System.out.printf("alerts an hour, %s at speed %d, watch list of the demo, %d hours%n", scenario.wire(), SPEED,
        hours.size());
    System.out.printf("  %-42s %8s %8s%n", "rule, severity, status", "mean", "most");
    var rows = new TreeSet<String>();
    hours.forEach(hour -> hour.alerts().forEach(alert -> rows.add(row(alert))));
    rows.forEach(row -> print(row, hours, alert -> row(alert).equals(row)));
    print("warnings", hours, alert -> Hour.begins(alert) && alert.getSeverity().equals("warning"));
    print("warnings and critical", hours, alert -> Hour.begins(alert) && !alert.getSeverity().equals("info"));
    print("infos", hours, alert -> Hour.begins(alert) && alert.getSeverity().equals("info"));
    print("all, with resolved", hours, alert -> true);
  }

  private static void print(String row, List<Hour> hours, Predicate<Alert> some) {
    var counts = hours.stream().mapToLong(hour -> hour.count(some)).summaryStatistics();
    System.out.printf("  %-42s %8.1f %8d%n", row, counts.getAverage(), counts.getMax());
  }

  private static String row(Alert alert) {
    return String.join(" ", alert.getRule(), alert.getSeverity(), alert.getStatus());
  }

  /** What the demo watches. */
  static WatchList watchList() {
    var variables = new HashMap<>(Map.of("KAFKA_PORT", "9092", "KAFKA_DATA", "data", "WEB_PORT", "8080",
        "WEB_ADDRESS", "127.0.0.1", "WEB_ANONYMOUS", "local",
        "WEB_KEY_HASH", "sha256:" + "0".repeat(64),
        "MANAGEMENT_PORT", "9090", "MARKET_URL", "http://127.0.0.1:1/api/v3", "MARKET_KEY", "demo"));
    for (var operation : Operation.values()) {
      var millis = Math.max(1_000, RefreshRate.PUBLIC.period(operation).toMillis() / SPEED);
      variables.put("REFRESH_" + operation.name(), millis + "ms");
    }
    return Settings.parse("demo.yaml", demo(), variables::get).sources().getFirst().watch();
  }

  private static String demo() {
    try (var stream = Objects.requireNonNull(DemoCommand.class.getResourceAsStream("demo.yaml"))) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
