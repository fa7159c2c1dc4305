package io.tidemark.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.ledger.ValueLog.Position;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ValueLogTest {

  static final int SEGMENT = 4 << 10;
  /** More than is kept in memory before it is written. */
  static final int LARGE = 100_000;

  @TempDir
  Path folder;
  ValueLog log;

  @BeforeEach
  void open() {
    log = new ValueLog(folder, "pool", SEGMENT);
  }

  @AfterEach
  void close() {
    log.close();
  }

  @Test
  void unknownKey_hasNoValue() {
    assertThat(log.get(bytes("a"))).isNull();
    log.put(bytes("a"), null);
    assertThat(log.size()).isZero();
  }

  @Test
  void newestValue_isReturned() {
    log.put(bytes("a"), bytes("1"));
    log.put(bytes("b"), bytes(""));
    log.put(bytes("a"), bytes("2"));

    assertThat(get("a")).isEqualTo("2");
    assertThat(get("b")).isEmpty();
    assertThat(log.size()).isEqualTo(2);
  }

  @Test
  void deletedKey_hasNoValueUntilItIsPutAgain() {
    log.put(bytes("a"), bytes("1"));
    log.put(bytes("a"), null);
    assertThat(log.get(bytes("a"))).isNull();

    log.put(bytes("a"), bytes("2"));
    assertThat(get("a")).isEqualTo("2");
  }

  @ParameterizedTest
  @ValueSource(ints = {2_000, SEGMENT, LARGE})
  void longValue_isReturnedWhole(int length) {
    log.put(bytes("short"), bytes("1"));
    log.put(bytes("long"), bytes("x".repeat(length)));
    log.put(bytes("next"), bytes("2"));

    assertThat(get("long")).isEqualTo("x".repeat(length));
    assertThat(get("short")).isEqualTo("1");
    assertThat(get("next")).isEqualTo("2");
  }

  @Test
  void keysWithTheSameHash_areTwo() {
    var same = keysWithTheSameHash();
    log.put(same.getFirst(), bytes("1"));
    assertThat(log.get(same.getLast())).isNull();

    log.put(same.getLast(), bytes("2"));
    log.put(same.getFirst(), null);

    assertThat(log.get(same.getFirst())).isNull();
    assertThat(log.get(same.getLast())).isEqualTo(bytes("2"));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void anyPutsAndDeletes_areThoseOfAMap(long seed) {
    var random = new Random(seed);
    var expected = new HashMap<String, String>();
    for (var put = 0; put < 20_000; put++) {
      var key = "key" + random.nextInt(1 + random.nextInt(700));
      var value = random.nextInt(5) == 0 ? null : "v".repeat(random.nextInt(120)) + put;
      log.put(bytes(key), value == null ? null : bytes(value));
      if (value == null) {
        expected.remove(key);
      } else {
        expected.put(key, value);
      }
      var other = "key" + random.nextInt(700);
      assertThat(log.get(bytes(other))).as(other).isEqualTo(
          expected.containsKey(other) ? bytes(expected.get(other)) : null);
    }

    assertThat(visited(7)).isEqualTo(expected);
    assertThat(log.size()).isEqualTo(expected.size());
  }

  @Test
  void replacedValues_takeNoMoreSpaceThanCurrentOnes() throws IOException {
    var current = 0L;
    for (var round = 0; round < 50; round++) {
      current = 0;
      for (var key = 0; key < 500; key++) {
        log.put(bytes("key" + key), bytes("value ".repeat(10) + round));
        current += 64;
      }
    }

    assertThat(log.bytes()).isLessThan(3 * current);
    try (var files = Files.list(folder)) {
      assertThat(files.mapToLong(file -> file.toFile().length()).sum()).isLessThanOrEqualTo(log.bytes());
    }
  }

  @Test
  void allKeysDeleted_leaveTwoSegmentsAtMost() {
    IntStream.range(0, 5_000).forEach(key -> log.put(bytes("key" + key), bytes("value")));
    IntStream.range(0, 5_000).forEach(key -> log.put(bytes("key" + key), null));

    assertThat(log.bytes()).isLessThanOrEqualTo(2 * SEGMENT);
    assertThat(visited(100)).isEmpty();
  }

  @Test
  void keysPutBetweenTwoVisits_areNotMissed() {
    var keys = new ArrayList<String>();
    IntStream.range(0, 1_000).forEach(key -> keys.add("key" + key));
    keys.forEach(key -> log.put(bytes(key), bytes("value ".repeat(10))));
    var visited = new HashSet<String>();
    var random = new Random(1);

    var next = log.visit(Position.START, 10, (key, value) -> visited.add(new String(key, UTF_8)));
    while (next != null) {
      IntStream.range(0, 20).forEach(put -> log.put(bytes(keys.get(random.nextInt(1_000))), bytes("again")));
      next = log.visit(next, 50, (key, value) -> visited.add(new String(key, UTF_8)));
    }

    assertThat(visited).containsExactlyInAnyOrderElementsOf(keys);
  }

  @Test
  void closedLog_hasNoFilesAndRefusesCalls() throws IOException {
    IntStream.range(0, 5_000).forEach(key -> log.put(bytes("key" + key), bytes("value")));

    log.close();

    try (var files = Files.list(folder)) {
      assertThat(files).isEmpty();
    }
    assertThatThrownBy(() -> log.get(bytes("key1")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("pool is closed");
  }

  @Test
  void folderThatIsGone_failsWithItsName() throws IOException {
    Files.delete(folder);

    assertThatThrownBy(() -> log.put(bytes("a"), bytes("1")))
        .isInstanceOf(LedgerFailure.class)
        .hasMessageContaining("local store in " + folder)
        .hasMessageContaining("local-store names another folder");
    Files.createDirectory(folder);
  }

  private Map<String, String> visited(int most) {
    var visited = new HashMap<String, String>();
    for (var next = Position.START; next != null;) {
      next = log.visit(next, most, (key, value) -> {
        assertThat(visited.put(new String(key, UTF_8), new String(value, UTF_8))).isNull();
      });
    }
    return visited;
  }

  private static List<byte[]> keysWithTheSameHash() {
    var keys = new HashMap<Integer, byte[]>();
    for (var number = 0;; number++) {
      var key = bytes("key" + number);
      var other = keys.put(Utils.murmur2(key), key);
      if (other != null) {
        return List.of(other, key);
      }
    }
  }

  private String get(String key) {
    var value = log.get(bytes(key));
    return value == null ? "none" : new String(value, UTF_8);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
