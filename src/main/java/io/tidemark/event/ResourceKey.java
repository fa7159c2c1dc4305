package io.tidemark.event;

import java.util.Locale;
import java.util.regex.Pattern;

/** The key of a resource in topics. The key of a pool or token is {@code <network>_<address>}. */
public final class ResourceKey {

  private static final Pattern EVM = Pattern.compile("(.*_)?(0[xX][0-9a-fA-F]{40})");

  private ResourceKey() {}

  /**
   * Returns a key, or an address, with the address in lower case if it consists of {@code 0x} and 20 bytes in
   * hexadecimal digits, as on EVM networks. Keys in topics have this form, because the service answers with lower-case
   * addresses. Returns any other text unchanged, because its case may be significant.
   */
  public static String canonical(String key) {
    var evm = EVM.matcher(key);
    return evm.matches() ? key.substring(0, evm.start(2)) + evm.group(2).toLowerCase(Locale.ROOT) : key;
  }
}
