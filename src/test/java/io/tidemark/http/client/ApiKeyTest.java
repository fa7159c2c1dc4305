package io.tidemark.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ApiKeyTest {

  @Test
  void longKey_isRemovedWhereverItStands() {
    assertThat(new ApiKey("CG-0123456789ab").redacted("key_CG-0123456789ab is unknown"))
        .isEqualTo("key_*** is unknown");
  }

  @Test
  void shortKey_isRemovedAsAWordAndLeavesNamesWhole() {
    assertThat(new ApiKey("demo").redacted("x-cg-demo-api-key: demo, x_cg_demo_api_key=demo&a=1"))
        .isEqualTo("x-cg-demo-api-key: ***, x_cg_demo_api_key=***&a=1");
  }
}
