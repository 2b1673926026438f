package io.elastune.provisioner.gcp.sdk;

import io.elastune.provisioner.gcp.model.InstancePath;
import io.elastune.provisioner.gcp.model.ResourceNames;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/** Reads Google's lists, which are split into pages and zones. */
final class PagedLists {
  private PagedLists() {}

  /**
   * Reads all pages of a list.
   *
   * @param ask returns the page for a token, which is empty for the first page
   * @param next returns the token of the next page; empty for the last page
   */
  static <P> void forEachPage(Function<String, P> ask, Function<P, String> next, Consumer<P> take) {
    String token = "";
    do {
      P page = ask.apply(token);
      take.accept(page);
      token = next.apply(page);
    } while (!token.isEmpty());
  }

  /** Passes the zones of {@code region} in a page of an aggregated list to {@code take}. */
  static <L> void forEachZone(Map<String, L> scopes, String region, BiConsumer<String, L> take) {
    scopes.forEach(
        (scope, list) -> {
          String zone = ResourceNames.lastSegment(scope);
          if (InstancePath.regionOf(zone).equals(region)) {
            take.accept(zone, list);
          }
        });
  }
}
