package io.tidemark.simulator;

/** All there is, made once from the settings; nothing in it changes but by the time it is asked about. */
final class World {
  final Globals globals;
  final History history;
  final Platforms platforms;

  World(SimulatorSettings settings) {
    var noise = new Noise(Noise.mix(settings.seed()));
    var pace = new Pace(settings.speed());
    var coins = new Coins(noise.of("coins"), pace);
    var currencies = new Currencies(noise.of("currencies"), coins, pace);
    globals = new Globals(coins, currencies, 40);
    history = new History(noise.of("history"), coins, currencies);
    platforms = new Platforms(noise.of("platforms"), pace);
  }
}
