package io.tidemark.http.wire;

import io.tidemark.event.KeyReport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The answer of the service's operation about a key, {@code GET /key}, which is not among the document's. Any member may be
 * missing.
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

  /** Null where the body has none of the members. */
  public static @Nullable KeyReport decode(byte[] body, Instant at) {
    try {
      if (!(StrictJson.read(body, JsonValue::read) instanceof JsonObject object)) {
        return null;
      }
      var plan = object.at(PLAN) instanceof JsonValue.JsonText text ? text.string() : null;
      var report = new KeyReport(at, plan, number(object, PER_MINUTE), number(object, PER_MONTH), number(object, USED),
          number(object, REMAINING));
      return report.getPerMinute() == null && report.getPerMonth() == null && report.getUsed() == null
          && report.getRemaining() == null ? null : report;
    } catch (IOException e) {
      return null;
    }
  }

  private static @Nullable Long number(JsonObject object, String name) throws IOException {
    var text = object.at(name) instanceof JsonValue.JsonText value ? value.string() : "";
    return text.matches("[0-9]{1,15}") ? Long.valueOf(text) : null;
  }

  public static byte[] encode(KeyReport report) {
    var json = JsonObject.ordered()
        .put(PLAN, JsonValue.string(report.getPlan() == null ? "" : report.getPlan()))
        .put(PER_MINUTE, json(report.getPerMinute()))
        .put(PER_MONTH, json(report.getPerMonth()))
        .put(USED, json(report.getUsed()))
        .put(REMAINING, json(report.getRemaining()));
    return json.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static JsonValue json(@Nullable Long number) {
    return new JsonValue.JsonText(String.valueOf(number));
  }
}
