package io.tidemark.notify;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.event.Alert;
import java.net.URLEncoder;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A template for the URL to which a notification links. Its placeholders are {@code {network}}, {@code {address}},
 * {@code {subject}}, {@code {rule}}, {@code {id}}, or the name of a label in braces. An empty template makes no link.
 */
public record LinkTemplate(String template) {

  public static final LinkTemplate NONE = new LinkTemplate("");

  private static final Pattern PART = Pattern.compile("\\{([a-zA-Z0-9_-]+)}");

  public LinkTemplate {
    if (!template.isEmpty() && !template.matches("https?://[^{}/\\s]+(/.*)?")) {
      throw new IllegalArgumentException(
          "'" + template + "' is not a URL with a host, such as https://example.org/{network}/{address}");
    }
  }

  /** Returns the URL for an alert, or null if the template is empty or the alert lacks a value for a placeholder. */
  @Nullable
  String of(Alert alert) {
    if (template.isEmpty()) {
      return null;
    }
    var parts = parts(alert);
    var matcher = PART.matcher(template);
    if (matcher.results().anyMatch(part -> parts.getOrDefault(part.group(1), "").isEmpty())) {
      return null;
    }
    return matcher.replaceAll(part -> Matcher.quoteReplacement(
        URLEncoder.encode(parts.getOrDefault(part.group(1), ""), UTF_8).replace("+", "%20")));
  }

  private static Map<String, String> parts(Alert alert) {
    var parts = new TreeMap<>(alert.getLabels());
    parts.put("subject", alert.getSubject());
    parts.put("rule", alert.getRule());
    parts.put("id", alert.getId());
    var network = parts.get("network");
    if (network != null && alert.getSubject().startsWith(network + "_")) {
      parts.putIfAbsent("address", alert.getSubject().substring(network.length() + 1));
    }
    return parts;
  }
}
