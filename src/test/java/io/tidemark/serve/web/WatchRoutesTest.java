package io.tidemark.serve.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WatchRoutesTest {

  @ParameterizedTest
  @CsvSource({
    "/v1/watch/global, /global",
    "/v1/watch/networks/eth/pools/0x1?include=dex&pages=2&for=6h, /networks/eth/pools/0x1?include=dex",
    "/v1/watch/global?source=main&weight=2.5, /global",
    "/v1/watch/%2Fnetworks%2feth%2Fnew_pools?page=1, /networks/eth/new_pools?page=1"})
  void target_isThePathWithoutTheParametersOfTheRoute(String uri, String target) {
    assertThat(WatchRoutes.target(uri)).isEqualTo(target);
  }
}
