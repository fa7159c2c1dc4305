package io.tidemark.event;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResourceKeyTest {

  @ParameterizedTest
  @CsvSource({
    "0X88E6A0c2dDD26FEEb64F039a2c41296FcB3f5640, 0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640",
    "polygon_pos_0x88E6A0c2dDD26FEEb64F039a2c41296FcB3f5640, polygon_pos_0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640",
    "EtH_0x88e6a0c2ddd26feeb64f039a2c41296fcb3f564A, EtH_0x88e6a0c2ddd26feeb64f039a2c41296fcb3f564a",
    "0x88E6, 0x88E6",
    "aptos_0x88E6A0c2dDD26FEEb64F039a2c41296FcB3f564088E6A0c2dDD26FEE, aptos_0x88E6A0c2dDD26FEEb64F039a2c41296FcB3f564088E6A0c2dDD26FEE",
    "ton_EQA-X_yo3fzzbDbJ_0bzFWKqtRuZFIRa1sJsveZJ1YpViO3r, ton_EQA-X_yo3fzzbDbJ_0bzFWKqtRuZFIRa1sJsveZJ1YpViO3r",
    "bitcoin, bitcoin"
  })
  void onlyAddressesOfTwentyBytes_areInLowerCase(String key, String canonical) {
    assertThat(ResourceKey.canonical(key)).isEqualTo(canonical);
  }
}
