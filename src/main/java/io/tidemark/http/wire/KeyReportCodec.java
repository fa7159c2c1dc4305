package io.tidemark.http.wire;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.event.KeyReport;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A codec for the service's report on a key, which the operation {@code GET /key} returns. The interface document does
 * not list this operation. Any member of the report may be missing.
 */
public final class KeyReportCodec {

  /** The path of the operation. */
  public static final String PATH = "/key";

  private static final String PLAN = "plan";
  private static final String PER_MINUTE = "rate_limit_request_per_minute";
  private static final String PER_MONTH = "monthly_call_credit";
  private static final String USED = "current_total_monthly_calls";
  private static final String REMAINING = "current_remaining_monthly_calls";

  private KeyReportCodec() {}

  /** Reads a report. Returns null if the body contains none of the numbers of calls. */
  public static @Nullable KeyReport decode(byte[] body, Instant at) {
    JsonNode object;
    try {
      object = Json.read(body, name -> true);
    } catch (MalformedAnswerException e) {
      return null;
    }
    var report = new KeyReport(at, Json.content(object.get(PLAN)), number(object, PER_MINUTE),
        number(object, PER_MONTH), number(object, USED), number(object, REMAINING));
    return report.getPerMinute() == null && report.getPerMonth() == null && report.getUsed() == null
        && report.getRemaining() == null ? null : report;
  }

  private static @Nullable Long number(JsonNode object, String name) {
    var text = Json.content(object.get(name));
    return text != null && text.matches("[0-9]{1,15}") ? Long.valueOf(text) : null;
  }

  public static byte[] encode(KeyReport report) {
    return Json.bytes(Json.object()
        .put(PLAN, report.getPlan() == null ? "" : report.getPlan())
        .put(PER_MINUTE, report.getPerMinute())
        .put(PER_MONTH, report.getPerMonth())
        .put(USED, report.getUsed())
        .put(REMAINING, report.getRemaining()));
  }
}
