package io.tidemark.cli.plan;

import io.tidemark.http.server.MarketRoutes;
import io.tidemark.market.RefreshRate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The text of a configuration for a plan and a purpose. For a larger plan, the configuration watches more pages and
 * more lists.
 *
 * @param baseUrl address of the service; null for the host to which the plan's keys belong
 * @param bootstrap Kafka's bootstrap server; null for the embedded broker
 */
public record FirstConfiguration(String plan, String purpose, List<String> networks, @Nullable String baseUrl,
    @Nullable String bootstrap) {

  public static final List<String> PLANS = List.of("demo", "basic", "analyst", "lite", "pro");
  static final List<String> PURPOSES = List.of("alerts", "prices", "everything");

  public static final String ALERTS = "alerts";

  /** Networks of a first configuration if the user names no networks. */
  public static final List<String> NETWORKS = List.of("solana", "base");

  private static final String EVERYTHING = "everything";

  private static final String PUBLIC_HOST = "https://api.coingecko.com/api/v3";
  private static final String PAID_HOST = "https://pro-api.coingecko.com/api/v3";
  private static final String PAID_KEY_HEADER = "x-cg-pro-api-key";

  /**
   * Published limits of a plan. The actual limits of a key are on the service's account page.
   *
   * @param pages maximum number of pages of each list that a first configuration watches with the plan
   */
  private record PublishedPlan(int perMinute, long perMonth, boolean paid, int pages) {}

  private static final Map<String, PublishedPlan> LIMITS = Map.of(
      "demo", new PublishedPlan(30, 10_000, false, 1),
      "basic", new PublishedPlan(250, 100_000, true, 2),
      "analyst", new PublishedPlan(500, 500_000, true, 4),
      "lite", new PublishedPlan(500, 2_000_000, true, 8),
      "pro", new PublishedPlan(1000, 5_000_000, true, 10));

  /** Id of the exchange with the most volume on each network, by the id of the network. */
  private static final Map<String, String> EXCHANGES = Map.of(
      "solana", "raydium", "base", "aerodrome-base", "eth", "uniswap_v3", "bsc", "pancakeswap-v3-bsc",
      "polygon_pos", "uniswap_v3_polygon_pos", "arbitrum", "uniswap_v3_arbitrum");

  private PublishedPlan published() {
    return Objects.requireNonNull(LIMITS.get(plan));
  }

  /** Returns the rate at which the service refreshes its answers for the plan. */
  public RefreshRate refresh() {
    return published().paid() ? RefreshRate.PRO : RefreshRate.PUBLIC;
  }

  /** @param arithmetic lines of the plan's forecast, which become comments at the beginning of the text */
  String text(List<String> arithmetic) {
    var comments = Stream.concat(
        Stream.of("For %s with the plan %s. 'tidemark plan' computes this again:".formatted(purpose, plan), ""),
        arithmetic.stream()).collect(Collectors.toCollection(ArrayList::new));
    while (comments.getLast().isEmpty()) {
      comments.removeLast();
    }
    var head = comments.stream().map(each -> ("# " + each).stripTrailing()).collect(Collectors.joining("\n"));
    var kafka = bootstrap == null
        ? "{ embedded: { port: 9092, data: ./data } }   # to try it out; else  { bootstrap-servers: HOST:PORT }"
        : "{ bootstrap-servers: \"%s\" }".formatted(bootstrap);
    var key = """
            # the key: export TIDEMARK_SOURCES_0_KEYS_0_KEY=..., or name a file with  key-file: key.txt
            keys: [ { %s } ]
            key-header: %s
        """.formatted(limits(), published().paid() ? PAID_KEY_HEADER : MarketRoutes.KEY_HEADER);
    return head + "\nkafka: " + kafka + "\n" + sources(key);
  }

  /** Returns the limits of a key of the plan, as options of the key in the configuration. */
  public String limits() {
    return "per-minute: %d, per-month: %d".formatted(published().perMinute(), published().perMonth());
  }

  /** Returns the section {@code sources}, with the given lines about the key of the source. */
  public String sources(String key) {
    return """
        sources:
          - name: main
            base-url: "%s"
        %s    refresh: %s
            watch:
        %s""".formatted(Objects.requireNonNullElse(baseUrl, published().paid() ? PAID_HOST : PUBLIC_HOST), key,
        refresh() == RefreshRate.PRO ? "pro" : "public", watch());
  }

  private String watch() {
    var lines = new ArrayList<String>();
    lines.add("      networks:");
    networks.forEach(network -> lines.addAll(network(network)));
    lines.add("      global: {}");
    if (purpose.equals(EVERYTHING)) {
      lines.add("      coins: { bitcoin: { history: { days: 30 }, tickers: {} } }");
      lines.add("      derivatives: { binance_futures: { tickers: unexpired } }");
      lines.add("      treasuries: { strategy: {} }");
      lines.add("      platforms: {}");
    }
    return String.join("\n", lines) + "\n";
  }

  private List<String> network(String network) {
    var lines = new ArrayList<String>();
    var pages = published().pages();
    lines.add("        %s:".formatted(network));
    if (!purpose.equals("prices")) {
      lines.add("          new-pools: { pages: %d }".formatted(pages));
      lines.add("          trending: { durations: [%s], pages: %d }".formatted(
          pages > 2 ? "5m, 1h" : "1h", Math.min(pages, 2)));
    } else {
      lines.add("          trending: { durations: [24h], pages: %d }".formatted(pages));
    }
    var exchange = EXCHANGES.get(network);
    if (exchange != null && !(purpose.equals(ALERTS) && pages == 1)) {
      lines
          .add("          dexes: { %s: { sort: h24_volume_usd_desc, pages: %d } }".formatted(exchange, pages));
    }
    return lines;
  }
}
