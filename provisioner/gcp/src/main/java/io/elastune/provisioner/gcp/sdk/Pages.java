package io.elastune.provisioner.gcp.sdk;

import io.elastune.provisioner.gcp.account.Names;
import io.elastune.provisioner.gcp.account.Place;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/** Google's lists, which come in pages and by zone. */
final class Pages {
  private Pages() {}

  /**
   * Turns all pages of a list.
   *
   * @param ask gives the page of a token; the first one's is empty
   * @param next the token of the page after it; empty after the last
   */
  static <P> void turn(Function<String, P> ask, Function<P, String> next, Consumer<P> take) {
    String token = "";
    do {
      P page = ask.apply(token);
      take.accept(page);
      token = next.apply(page);
    } while (!token.isEmpty());
  }

  /** What a page of a list over all scopes has of the zones of {@code region}, by the zone. */
  static <L> void inZones(Map<String, L> scopes, String region, BiConsumer<String, L> take) {
    scopes.forEach(
        (scope, list) -> {
          String zone = Names.last(scope);
          if (Place.regionOf(zone).equals(region)) {
            take.accept(zone, list);
          }
        });
  }
}
