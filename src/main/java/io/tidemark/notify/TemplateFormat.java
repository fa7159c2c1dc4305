package io.tidemark.notify;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import java.net.URLEncoder;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Posts a body that is made from a template. A placeholder has the form {@code {{name}}}. Its name is id, rule,
 * severity, status, fingerprint, subject, title, summary, text, facts, link, json, event_time, {@code labels.<name>}
 * or {@code links.<name>}. Values are escaped if the content type is JSON (except {@code json}), HTML, XML or {@code
 * application/x-www-form-urlencoded}. A placeholder without a value becomes an empty text.
 */
public record TemplateFormat(String contentType, String template, NotificationLinks links)
    implements NotificationFormat {

  private static final Pattern PART = Pattern.compile("\\{\\{ *([a-zA-Z0-9_.-]+) *}}");
  private static final Set<String> NAMES = Set.of("id", "rule", "severity", "status",
      "fingerprint", "subject", "title", "summary", "text", "facts", "link", "json", "event_time");

  public TemplateFormat {
    PART.matcher(template).results().map(part -> part.group(1)).forEach(name -> {
      if (!NAMES.contains(name) && !name.startsWith("labels.") && !name.startsWith("links.")) {
        throw new IllegalArgumentException("the placeholder {{" + name + "}} is unknown; known placeholders are "
            + new TreeSet<>(NAMES)
            + ", labels.<name> and links.<name>");
      }
    });
  }

  @Override
  public WebhookRequest request(Notification notification, Instant now) {
    var values = values(notification, now);
    var body = PART.matcher(template).replaceAll(part -> {
      var value = values.getOrDefault(part.group(1), "");
      return Matcher.quoteReplacement(part.group(1).equals("json") && isJson() ? value : escaped(value));
    });
    return new WebhookRequest(contentType, body, Map.of());
  }

  private Map<String, String> values(Notification notification, Instant now) {
    var values = new TreeMap<String, String>();
    var content = NotificationContent.of(notification, links, now);
    values.put("title", content.title());
    values.put("summary", content.summary());
    values.put("facts", facts(content));
    values.put("text", content.title() + "\n" + content.summary() + "\n" + facts(content));
    values.put("link", content.links().isEmpty() ? "" : content.links().firstEntry().getValue());
    content.links().forEach((name, url) -> values.put("links." + name, url));
    switch (notification) {
      case Notification.SingleAlert(var alert, var trace) -> {
        values.put("id", alert.getId());
        values.put("rule", alert.getRule());
        values.put("severity", alert.getSeverity());
        values.put("status", alert.getStatus());
        values.put("fingerprint", alert.getFingerprint());
        values.put("subject", alert.getSubject());
        values.put("event_time", alert.getEventTime().toString());
        values.put("json", NotificationJson.text(NotificationJson.alert(alert, links)));
        alert.getLabels().forEach((name, value) -> values.put("labels." + name, value));
      }
      case Notification.AlertDigest digest -> {
        values.put("id", digest.id());
        values.put("rule", "digest");
        values.put("severity", digest.severity());
        values.put("status", "digest");
        values.put("event_time", digest.to().toString());
        values.put("json", NotificationJson.text(NotificationJson.digest(digest)));
      }
    }
    return values;
  }

  private static String facts(NotificationContent content) {
    return content.facts().stream().map(Object::toString).collect(joining("\n")).strip();
  }

  private boolean isJson() {
    return contentType.contains("json");
  }

  private String escaped(String value) {
    if (contentType.contains("x-www-form-urlencoded")) {
      return URLEncoder.encode(value, UTF_8);
    }
    if (isJson()) {
      var quoted = NotificationJson.text(value);
      return quoted.substring(1, quoted.length() - 1);
    }
    return contentType.contains("html") || contentType.contains("xml")
        ? value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;")
            .replace("'", "&#39;")
        : value;
  }
}
