package io.tidemark.fault;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a proxy does to traffic.
 *
 * @param latency delay of each piece
 * @param pieces bytes forwarded at a time
 * @param refuses resets open and new connections
 * @param swallows accepts everything and forwards nothing
 * @param held directions in which nothing passes, neither bytes nor the end of a connection, until the conditions change
 * @param bound bytes of an answer after which the connection is cut
 * @param answer the answer to every request; null if requests reach the target
 */
@SuppressWarnings("ArrayRecordComponent") // conditions are never compared
public record NetworkConditions(
    Duration latency,
    int pieces,
    boolean refuses,
    boolean swallows,
    Set<Direction> held,
    long bound,
    byte @Nullable [] answer) {

  /** To the target, or from it. */
  public enum Direction {
    REQUESTS,
    ANSWERS
  }

  private static final int BUFFER = 16 * 1024;

  public static final NetworkConditions FAIR =
      new NetworkConditions(Duration.ZERO, BUFFER, false, false, Set.of(), Long.MAX_VALUE, null);
  public static final NetworkConditions RESET =
      new NetworkConditions(Duration.ZERO, BUFFER, true, false, Set.of(), Long.MAX_VALUE, null);
  public static final NetworkConditions BLACK_HOLE =
      new NetworkConditions(Duration.ZERO, BUFFER, false, true, Set.of(), Long.MAX_VALUE, null);

  public static final NetworkConditions CUT = held(Set.of(Direction.REQUESTS, Direction.ANSWERS));

  /** Returns conditions of a network that delivers nothing in these directions until they end, and then everything. */
  public static NetworkConditions held(Set<Direction> directions) {
    return new NetworkConditions(Duration.ZERO, BUFFER, false, false, directions, Long.MAX_VALUE, null);
  }

  public static NetworkConditions late(Duration latency) {
    return new NetworkConditions(latency, BUFFER, false, false, Set.of(), Long.MAX_VALUE, null);
  }

  /** Returns conditions that forward a few bytes at a time, with a pause before each piece. */
  public static NetworkConditions drip(int bytes, Duration pause) {
    return new NetworkConditions(pause, bytes, false, false, Set.of(), Long.MAX_VALUE, null);
  }

  /** @param head status line and headers, without line ends */
  public static NetworkConditions answering(String body, String... head) {
    var text = "HTTP/1.1 " + String.join("\r\n", head) + "\r\nContent-Length: " + body.getBytes(UTF_8).length
        + "\r\n\r\n" + body;
    return new NetworkConditions(Duration.ZERO, BUFFER, false, false, Set.of(), Long.MAX_VALUE, text.getBytes(UTF_8));
  }

  public static NetworkConditions cut(long bytes) {
    return new NetworkConditions(Duration.ZERO, BUFFER, false, false, Set.of(), bytes, null);
  }
}
