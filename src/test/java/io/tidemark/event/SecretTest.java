package io.tidemark.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SecretTest {

  private record Login(String user, Secret password) {}

  @Test
  void secret_isNotShown_norByWhatHoldsIt() {
    assertThat(List.of(new Login("ann", new Secret("sesame"))).toString()).contains("ann").doesNotContain("sesame");
  }
}
