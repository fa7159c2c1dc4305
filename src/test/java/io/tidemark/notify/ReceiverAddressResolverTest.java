package io.tidemark.notify;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReceiverAddressResolverTest {

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0",
    "100.64.0.1", "198.18.0.1", "224.0.0.1", "255.255.255.255", "192.0.0.1", "192.0.2.1", "::1", "::", "fe80::1",
    "fd00::1",
    "::ffff:10.0.0.1", "64:ff9b::a00:1", "2002:a00:1::", "2001:0:1::"})
  void innerAddress_isPrivate(String address) throws Exception {
    assertThat(ReceiverAddressResolver.isPrivate(InetAddress.getByName(address))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.1.1.1", "172.32.0.1", "192.0.1.1", "192.0.78.9", "192.1.0.1", "100.128.0.1", "198.20.0.1",
    "2606:4700::1", "2001:4860::1"})
  void publicAddress_isNotPrivate(String address) throws Exception {
    assertThat(ReceiverAddressResolver.isPrivate(InetAddress.getByName(address))).isFalse();
  }
}
