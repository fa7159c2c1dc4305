package io.tidemark.capture.ledger;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.capture.change.ChangeDetector;
import io.tidemark.capture.change.PublishSettings;
import io.tidemark.event.PoolState;
import io.tidemark.event.ResourceMemory;
import io.tidemark.http.client.StoredResponse;
import io.tidemark.http.wire.Endpoints;
import io.tidemark.http.wire.RecordedQuery;
import io.tidemark.market.Snapshot;
import io.tidemark.market.Target;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Any number of pools, made from those in recorded answers of the real service: what is known of each, its id apart. */
final class RecordedPools {

  private static final List<String> OPERATIONS =
      List.of("dex_pools", "new_pools", "pool", "search_pools", "token_pools", "trending_pools");
  private static final JsonMapper JSON = new JsonMapper();
  private static final Duration MONTH = Duration.ofDays(30);

  /** Digits that make an address another one: enough for more pools than there are. */
  private static final int DIGITS = 8;

  private final List<PoolState> recorded;
  private final Instant observedAt;

  /** @param observedAt when all of them were observed */
  RecordedPools(Path folder, Instant observedAt) {
    this.observedAt = observedAt;
    this.recorded =
        OPERATIONS.stream().flatMap(operation -> files(folder.resolve(operation))).flatMap(this::pools).toList();
    if (recorded.isEmpty()) {
      throw new IllegalArgumentException("no answers about pools in " + folder + ", in folders such as new_pools");
    }
  }

  /** Of the folder that {@code tidemark.recordings} names. */
  static RecordedPools observedAt(Instant observedAt) {
    return new RecordedPools(Path.of(System.getProperty("tidemark.recordings", "recordings")), observedAt);
  }

  /**
   * A pool of its own for each number.
   *
   * @param target that showed it
   * @param visible whether that shows it still
   */
  PoolState pool(int number, String target, boolean visible) {
    var state = PoolState.newBuilder(recorded.get(number % recorded.size())).build();
    var pool = state.getKnown();
    pool.setAddress(address(pool.getAddress(), number));
    pool.setId(pool.getNetwork() + "_" + pool.getAddress());
    state.setMemory(memory(state, target, visible));
    return state;
  }

  private static String address(String recorded, int number) {
    var digits = Integer.toString(number);
    var prefix = Math.max(0, recorded.length() - DIGITS);
    return recorded.substring(0, prefix) + "0".repeat(DIGITS - digits.length()) + digits;
  }

  private ByteBuffer memory(PoolState state, String target, boolean visible) {
    try {
      var memory = ResourceMemory.getDecoder().decode(state.getMemory().duplicate());
      memory.setTargets(List.of(target));
      memory.setVisible(visible);
      memory.setLastObservedAt(visible ? null : observedAt);
      return ResourceMemory.getEncoder().encode(memory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<Path> files(Path operation) {
    try (var files = Files.list(operation)) {
      return files.filter(file -> file.toString().endsWith(".json")).sorted().toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException("no recorded answers; name their folder with -Dtidemark.recordings=...", e);
    }
  }

  private Stream<PoolState> pools(Path file) {
    try {
      var body = Files.readAllBytes(file);
      var query = RecordedQuery.of(file, JSON.readTree(body));
      var name = Endpoints.targetName(query);
      var answer = new StoredResponse(name, 1, body, 200, Map.of(), observedAt, observedAt).answer();
      var snapshot =
          new Snapshot(new Target("main", name, query, 1), List.of(answer), true, null, observedAt, observedAt);
      return new ChangeDetector(PublishSettings.MATERIAL, MONTH, MONTH, observedAt, observedAt)
          .detect(snapshot, PoolOutcomes.NOTHING).updates().stream()
          .filter(entry -> entry.resource().equals("pool"))
          .map(entry -> (PoolState) entry.state());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
