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
 * The catalogue's prices, kept in a file for a day: the catalogue is tens of megabytes long, and
 * Google changes prices once a month at most.
 *
 * @param file where they are kept; need not be there
 * @param catalogue where they are from
 * @param time our clock
 */
public record KeptPrices(Path file, PriceCatalogue catalogue, InstantSource time) {
  private static final Duration GOOD_FOR = Duration.ofDays(1);

  /**
   * Prices, and when they were asked for.
   *
   * @param asked in whole seconds
   */
  record Dated(Instant asked, PartPrices prices) {}

  /** Prices that are less than a day old. */
  Dated get() {
    Instant now = time.instant().truncatedTo(ChronoUnit.SECONDS);
    return kept().filter(dated -> isFresh(dated.asked(), now)).orElseGet(() -> ask(now));
  }

  private static boolean isFresh(Instant asked, Instant now) {
    return !asked.isAfter(now) && Duration.between(asked, now).compareTo(GOOD_FOR) < 0;
  }

  /** Whatever cannot be read is asked for anew. */
  private Optional<Dated> kept() {
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

  private Dated ask(Instant now) {
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
      // Not kept, then: they are asked for again next time.
    }
    return new Dated(now, prices);
  }
}
