package io.elastune.provisioner.gcp.offers;

import io.elastune.core.files.PrivateFiles;
import io.elastune.provisioner.gcp.model.PriceCatalog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Caches the catalog's prices in a file for one day. The catalog is tens of megabytes long, and
 * Google changes prices at most once a month.
 *
 * @param file the cache file, which need not exist
 * @param catalog the source of the prices
 * @param time the local clock
 */
public record CachedPrices(Path file, PriceCatalog catalog, InstantSource time) {
  private static final Duration VALIDITY = Duration.ofDays(1);

  /**
   * Prices and the time of their retrieval.
   *
   * @param retrievedAt when they were retrieved, in whole seconds
   */
  record DatedPrices(Instant retrievedAt, ComponentPrices prices) {}

  /** Returns prices that are less than one day old. */
  DatedPrices get() {
    Instant now = time.instant().truncatedTo(ChronoUnit.SECONDS);
    return cached()
        .filter(datedPrices -> isFresh(datedPrices.retrievedAt(), now))
        .orElseGet(() -> retrieve(now));
  }

  private static boolean isFresh(Instant asked, Instant now) {
    return !asked.isAfter(now) && Duration.between(asked, now).compareTo(VALIDITY) < 0;
  }

  /** Returns the cached prices; empty if the file cannot be read or parsed. */
  private Optional<DatedPrices> cached() {
    try {
      List<String> lines = Files.readAllLines(file);
      return lines.isEmpty()
          ? Optional.empty()
          : Optional.of(
              new DatedPrices(
                  Instant.parse(lines.get(0)),
                  ComponentPrices.parse(lines.subList(1, lines.size()))));
    } catch (IOException
        | UncheckedIOException
        | DateTimeException
        | NumberFormatException
        | StringIndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }

  private DatedPrices retrieve(Instant now) {
    ComponentPrices prices = ComponentPrices.of(catalog);
    List<String> lines = new ArrayList<>();
    lines.add(now.toString());
    lines.addAll(prices.lines());
    try {
      PrivateFiles.createParent(file);
      Path fresh = Files.createTempFile(file.toAbsolutePath().getParent(), "prices", ".part");
      Files.write(fresh, lines);
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      // The cache is optional: the next call retrieves the prices again.
    }
    return new DatedPrices(now, prices);
  }
}
