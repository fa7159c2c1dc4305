package io.tidemark.stream.alert;

/** Settings of the shipped alert rules, rule by rule. */
public record AlertSettings(
    NewPool.Settings newPool, NewlyTrending.Settings newlyTrending, PriceMove.Settings priceMove) {

  public static final AlertSettings DEFAULT =
      new AlertSettings(NewPool.Settings.DEFAULT, NewlyTrending.Settings.DEFAULT, PriceMove.Settings.DEFAULT);
}
