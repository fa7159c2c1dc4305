package io.tidemark.kafka;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.tidemark.event.Sha256;
import java.time.Instant;
import java.util.regex.Pattern;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * A span of a trace, as the header {@code traceparent} of W3C Trace Context names it. All ids are digests of what the
 * span is about, so that a record that is written again has the same header.
 *
 * @param traceId 32 hexadecimal digits
 * @param spanId 16 hexadecimal digits
 * @param sampled whether the spans of the trace are exported
 */
public record TraceParent(String traceId, String spanId, boolean sampled) {

  private static final int TRACE_ID = 32;
  private static final int SPAN_ID = 16;
  private static final Pattern TEXT =
      Pattern.compile("00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]([0-9a-f])");

  /**
   * Returns the poll of a snapshot, which is the first span of its trace.
   *
   * @param observedAt identifies the snapshot among those of its target, in milliseconds, as changes contain it
   * @param ratio the part of all traces that is sampled, from 0 to 1
   */
  public static TraceParent ofPoll(String source, String target, Instant observedAt, double ratio) {
    var digest = Sha256.hex(String.join("\n", source, target, Long.toString(observedAt.toEpochMilli())));
    var random = Long.parseUnsignedLong(digest, SPAN_ID, TRACE_ID, 16) & Long.MAX_VALUE;
    return new TraceParent(digest.substring(0, TRACE_ID), digest.substring(TRACE_ID, TRACE_ID + SPAN_ID),
        random < ratio * Long.MAX_VALUE);
  }

  /** Returns the span in the header of a record, or null if the header is missing or not valid. */
  public static @Nullable TraceParent of(Headers headers) {
    var header = headers.lastHeader(RecordHeader.TRACEPARENT.wire());
    var text = header == null || header.value() == null ? "" : new String(header.value(), US_ASCII);
    var parts = TEXT.matcher(text);
    return parts.matches()
        ? new TraceParent(parts.group(1), parts.group(2), Character.digit(parts.group(3).charAt(0), 16) % 2 == 1)
        : null;
  }

  /** Returns a span that this one caused. Among the spans that this one caused, the name must be unique. */
  public TraceParent child(String name) {
    return new TraceParent(traceId, Sha256.hex(traceId + spanId + name).substring(0, SPAN_ID), sampled);
  }

  public String text() {
    return "00-" + traceId + "-" + spanId + (sampled ? "-01" : "-00");
  }

  public void addTo(Headers headers) {
    headers.add(RecordHeader.TRACEPARENT.wire(), text().getBytes(US_ASCII));
  }
}
