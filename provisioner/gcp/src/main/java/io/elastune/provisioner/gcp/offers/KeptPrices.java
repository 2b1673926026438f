package io.elastune.provisioner.gcp.offers;

import io.elastune.provisioner.gcp.account.PriceCatalogue;
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
 * @param catalogue the source of the prices
 * @param time the local clock
 */
public record KeptPrices(Path file, PriceCatalogue catalogue, InstantSource time) {
  private static final Duration VALIDITY = Duration.ofDays(1);

  /**
   * Prices and the time of their retrieval.
   *
   * @param asked when they were retrieved, in whole seconds
   */
  record Dated(Instant asked, PartPrices prices) {}

  /** Returns prices that are less than one day old. */
  Dated get() {
    Instant now = time.instant().truncatedTo(ChronoUnit.SECONDS);
    return cached().filter(dated -> isFresh(dated.asked(), now)).orElseGet(() -> retrieve(now));
  }

  private static boolean isFresh(Instant asked, Instant now) {
    return !asked.isAfter(now) && Duration.between(asked, now).compareTo(VALIDITY) < 0;
  }

  /** Returns the cached prices; empty if the file cannot be read or parsed. */
  private Optional<Dated> cached() {
    try {
      List<String> lines = Files.readAllLines(file);
      return lines.isEmpty()
          ? Optional.empty()
          : Optional.of(
              new Dated(
                  Instant.parse(lines.get(0)), PartPrices.parse(lines.subList(1, lines.size()))));
    } catch (IOException
        | UncheckedIOException
        | DateTimeException
        | NumberFormatException
        | StringIndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }

  private Dated retrieve(Instant now) {
    PartPrices prices = PartPrices.of(catalogue);
    List<String> lines = new ArrayList<>();
    lines.add(now.toString());
    lines.addAll(prices.lines());
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      Path fresh = Files.createTempFile(file.toAbsolutePath().getParent(), "prices", ".part");
      Files.write(fresh, lines);
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      // The cache is optional: the next call retrieves the prices again.
    }
    return new Dated(now, prices);
  }
}
