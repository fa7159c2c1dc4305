package io.tidemark.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.simulator.AddressCodec.AddressKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressCodecTest {
  private static final AddressCodec ADDRESSES = new AddressCodec(new StatelessRandom(11));

  @ParameterizedTest
  @EnumSource(Network.class)
  void address_decodesToItsNumber(Network network) {
    for (long number = 0; number < 2_000; number += 7) {
      String address = ADDRESSES.address(network, AddressKind.LAUNCH_POOL, number);

      assertThat(ADDRESSES.number(network, AddressKind.LAUNCH_POOL, address)).isEqualTo(number);
    }
  }

  @ParameterizedTest
  @EnumSource(Network.class)
  void address_isOfOneKindOnly(Network network) {
    String address = ADDRESSES.address(network, AddressKind.LAUNCH_POOL, 5);

    assertThat(ADDRESSES.number(network, AddressKind.GRADUATE_POOL, address)).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0x", "0xzz", "l0OI", "/", "111111111111111111111111111111111111111111111111111111111111",
    "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz"})
  void textThatIsNoAddress_hasNoNumber(String text) {
    assertThat(ADDRESSES.number(Network.SOLANA, AddressKind.LAUNCH_POOL, text)).isNull();
    assertThat(ADDRESSES.number(Network.ETH, AddressKind.LAUNCH_POOL, text)).isNull();
  }

  @Test
  void addresses_haveTheFormOfTheirNetworks() {
    assertThat(ADDRESSES.address(Network.BASE, AddressKind.TOKEN, 1)).matches("0x[0-9a-f]{40}");
    assertThat(ADDRESSES.address(Network.SOLANA, AddressKind.TOKEN, 1)).matches("[1-9A-HJ-NP-Za-km-z]{42,44}");
    assertThat(ADDRESSES.poolId(Network.ETH, 1)).matches("0x[0-9a-f]{64}");
  }
}
