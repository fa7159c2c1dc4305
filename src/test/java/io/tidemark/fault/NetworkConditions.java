package io.tidemark.fault;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a proxy does to traffic in both directions.
 *
 * @param latency delay of each piece
 * @param pieces bytes forwarded at a time
 * @param refuses resets open and new connections
 * @param swallows accepts everything and forwards nothing
 * @param bound bytes of an answer after which the connection is cut
 * @param answer the answer to every request; null if requests reach the target
 */
@SuppressWarnings("ArrayRecordComponent") // conditions are never compared
public record NetworkConditions(
    Duration latency, int pieces, boolean refuses, boolean swallows, long bound, byte @Nullable [] answer) {

  private static final int BUFFER = 16 * 1024;

  public static final NetworkConditions FAIR =
      new NetworkConditions(Duration.ZERO, BUFFER, false, false, Long.MAX_VALUE, null);
  public static final NetworkConditions RESET =
      new NetworkConditions(Duration.ZERO, BUFFER, true, false, Long.MAX_VALUE, null);
  public static final NetworkConditions BLACK_HOLE =
      new NetworkConditions(Duration.ZERO, BUFFER, false, true, Long.MAX_VALUE, null);

  public static NetworkConditions late(Duration latency) {
    return new NetworkConditions(latency, BUFFER, false, false, Long.MAX_VALUE, null);
  }

  /** Returns conditions that forward a few bytes at a time, with a pause before each piece. */
  public static NetworkConditions drip(int bytes, Duration pause) {
    return new NetworkConditions(pause, bytes, false, false, Long.MAX_VALUE, null);
  }

  /** @param head status line and headers, without line ends */
  public static NetworkConditions answering(String body, String... head) {
    var text = "HTTP/1.1 " + String.join("\r\n", head) + "\r\nContent-Length: " + body.getBytes(UTF_8).length
        + "\r\n\r\n" + body;
    return new NetworkConditions(Duration.ZERO, BUFFER, false, false, Long.MAX_VALUE, text.getBytes(UTF_8));
  }

  public static NetworkConditions cut(long bytes) {
    return new NetworkConditions(Duration.ZERO, BUFFER, false, false, bytes, null);
  }
}
