package io.tidemark.notify;

import static io.tidemark.notify.Alerts.priceMoved;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class LinkTemplateTest {

  @Test
  void placeholdersOfAPool_areFilledIn() {
    assertThat(new LinkTemplate("https://example.org/{network}/{address}?r={rule}").of(priceMoved("1")))
        .isEqualTo("https://example.org/eth/0xa?r=price-move");
  }

  @Test
  void hostileLabel_isEncoded() {
    var alert = priceMoved("1");
    alert.setLabels(Map.of("name", "../x?y=\"><b> #"));

    assertThat(new LinkTemplate("https://example.org/{name}/end").of(alert))
        .isEqualTo("https://example.org/..%2Fx%3Fy%3D%22%3E%3Cb%3E%20%23/end");
  }

  @Test
  void missingPlaceholder_givesNoLink() {
    assertThat(new LinkTemplate("https://example.org/{dex}").of(priceMoved("1"))).isNull();
  }

  @Test
  void otherSchemeThanHttp_isRejected() {
    assertThatThrownBy(() -> new LinkTemplate("javascript:alert(1)")).hasMessageContaining("https://");
    assertThatThrownBy(() -> new LinkTemplate("https://{host}/x")).hasMessageContaining("a host");
  }
}
