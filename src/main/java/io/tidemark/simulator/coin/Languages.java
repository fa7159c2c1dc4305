package io.tidemark.simulator.coin;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Names of coins in the languages of the document. */
final class Languages {
  private static final List<String> CODES = List.of(
      "en", "de", "es", "fr", "it", "pl", "ro", "hu", "nl", "pt", "sv", "vi", "tr", "ru", "ja", "zh", "zh-tw", "ko",
      "ar", "th", "id", "cs", "da", "el", "hi", "no", "sk", "uk", "he", "fi", "bg", "hr", "lt", "sl");

  /** Those that are not as in English. */
  private static final Map<String, Map<String, String>> TRANSLATED = Map.of(
      "bitcoin",
      Map.of("ru", "Биткоин", "ja", "ビットコイン", "zh", "比特币", "zh-tw", "比特幣", "ko", "비트코인", "ar", "بيتكوين",
          "th", "บิตคอยน์", "he", "ביטקוין", "hi", "बिटकॉइन", "uk", "Біткоїн"),
      "ethereum",
      Map.of("ru", "Эфириум", "ja", "イーサリアム", "zh", "以太坊", "zh-tw", "以太幣", "ko", "이더리움", "ar", "إيثريوم",
          "th", "อีเธอเรียม", "he", "את'ריום"));

  Map<String, String> names(Coin coin) {
    var names = new TreeMap<String, String>();
    CODES.forEach(code -> names.put(code, coin.name()));
    names.putAll(TRANSLATED.getOrDefault(coin.id(), Map.of()));
    return names;
  }
}
