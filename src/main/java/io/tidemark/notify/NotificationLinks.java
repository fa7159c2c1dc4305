package io.tidemark.notify;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.event.Alert;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.TreeMap;

/**
 * The links of a notification. Each link has a name, such as {@code chart} or {@code explorer}, and one template for
 * each network.
 *
 * @param templates templates by the name of the link, then by network; the template of {@link #OTHERS} applies to
 *     networks without a template
 */
public record NotificationLinks(SequencedMap<String, Map<String, LinkTemplate>> templates) {

  /** The key of the template for all other networks, and for alerts that are not about a network. */
  public static final String OTHERS = "default";

  public static final String CHART = "chart";
  public static final String EXPLORER = "explorer";

  public static final NotificationLinks NONE = new NotificationLinks(new LinkedHashMap<>());

  /** By known network: its name in the URLs of charts, and the URL prefix of its block explorer. */
  private static final String KNOWN_NETWORKS = "/io/tidemark/market/networks.json";

  /** Links to a chart and a block explorer for each known network. */
  public static final NotificationLinks DEFAULT = known();

  /** Returns links that consist of one link for all alerts. */
  public static NotificationLinks of(LinkTemplate template) {
    return NONE.with("open", Map.of(OTHERS, template));
  }

  /**
   * Returns a copy in which one link has other templates for some networks. An empty template removes the link for
   * its network.
   */
  public NotificationLinks with(String name, Map<String, LinkTemplate> byNetwork) {
    var links = new LinkedHashMap<>(templates);
    var changed = new TreeMap<>(links.getOrDefault(name, Map.of()));
    changed.putAll(byNetwork);
    links.put(name, changed);
    return new NotificationLinks(links);
  }

  /**
   * Returns the links of an alert by their names. Omits links without a template for the alert's network, and links
   * for which the alert lacks a value.
   */
  SequencedMap<String, String> of(Alert alert) {
    var network = Objects.requireNonNullElse(alert.getLabels().get("network"), OTHERS);
    var links = new LinkedHashMap<String, String>();
    templates.forEach((name, byNetwork) -> {
      var template = byNetwork.getOrDefault(network, byNetwork.getOrDefault(OTHERS, LinkTemplate.NONE));
      var link = template.of(alert);
      if (link != null) {
        links.put(name, link);
      }
    });
    return links;
  }

  private static NotificationLinks known() {
    var charts = new TreeMap<String, LinkTemplate>();
    var explorers = new TreeMap<String, LinkTemplate>();
    try (var file = NotificationLinks.class.getResourceAsStream(KNOWN_NETWORKS)) {
      new ObjectMapper().readTree(file).forEachEntry((network, known) -> {
        charts.put(network, new LinkTemplate("https://dexscreener.com/" + known.get("chart").asText() + "/{address}"));
        explorers.put(network, new LinkTemplate(known.get("explorer").asText() + "{address}"));
      });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return NONE.with(CHART, charts).with(EXPLORER, explorers);
  }
}
