package io.tidemark.notify;

import io.tidemark.event.Alert;
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

  /**
   * One known network in each line: its name, its name in the URLs of charts, and the URL prefix of its block explorer.
   */
  private static final String KNOWN_NETWORKS = """
      eth ethereum https://etherscan.io/address/
      solana solana https://solscan.io/account/
      base base https://basescan.org/address/
      bsc bsc https://bscscan.com/address/
      polygon_pos polygon https://polygonscan.com/address/
      arbitrum arbitrum https://arbiscan.io/address/
      optimism optimism https://optimistic.etherscan.io/address/
      avax avalanche https://snowtrace.io/address/
      linea linea https://lineascan.build/address/
      scroll scroll https://scrollscan.com/address/
      blast blast https://blastscan.io/address/
      mantle mantle https://mantlescan.xyz/address/
      celo celo https://celoscan.io/address/
      sonic sonic https://sonicscan.org/address/
      berachain berachain https://berascan.com/address/
      ton ton https://tonviewer.com/
      tron tron https://tronscan.org/#/address/
      sui-network sui https://suiscan.xyz/mainnet/object/
      """;

  /** Links to a chart and a block explorer for each known network. */
  public static final NotificationLinks DEFAULT = known();

  /** Returns links that consist of one link for all alerts. */
  public static NotificationLinks of(LinkTemplate template) {
    var links = new LinkedHashMap<String, Map<String, LinkTemplate>>();
    links.put("open", Map.of(OTHERS, template));
    return new NotificationLinks(links);
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
    KNOWN_NETWORKS.lines().map(line -> line.split(" ", 3)).forEach(row -> {
      charts.put(row[0], new LinkTemplate("https://dexscreener.com/" + row[1] + "/{address}"));
      explorers.put(row[0], new LinkTemplate(row[2] + "{address}"));
    });
    return NONE.with(CHART, charts).with(EXPLORER, explorers);
  }
}
