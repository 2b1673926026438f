package io.elastune.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.InProcessCli;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Jobs and seeds of which a rehearsal with heavy faults once violated a guarantee: the budget was
 * exceeded (h1 10001228, h2 1211, h4 817 and 40011878, u4 813001826, random 813000545), the run was
 * stopped at its budget although little was billed, or it ended with 20 although no instance was
 * left. Jobs u1 to u5 bill by use.
 */
class RecordedRehearsalsTest {
  private static final Path RANDOM =
      ExampleFiles.REPOSITORY.resolve("configs/rehearsal/random.yaml");

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "h1, 3155",
    "h1, 19056",
    "h1, 22777",
    "h1, 23125",
    "h1, 25939",
    "h1, 32609",
    "h1, 10001228",
    "h1, 833000236",
    "h2, 1211",
    "h2, 21199",
    "h2, 84874",
    "h3, 19406",
    "h3, 22777",
    "h3, 23125",
    "h3, 26049",
    "h3, 29403",
    "h3, 60053397",
    "h3, 120033482",
    "h4, 817",
    "h4, 40011878",
    "h5, 6365",
    "h5, 9844",
    "h5, 10677",
    "h5, 12331",
    "h5, 20956",
    "h5, 25104",
    "h5, 25939",
    "h5, 27994",
    "h5, 34416",
    "h5, 34702",
    "u1, 1",
    "u1, 207",
    "u3, 37",
    "u4, 1",
    "u4, 813001826",
    "u5, 1"
  })
  void violatesNoGuarantee(String job, String seed) throws URISyntaxException {
    rehearse(
        seed,
        file(job, "job.yaml"),
        "--profile",
        file(job, "profile.yaml"),
        "--offers",
        file(job, "offers.yaml"));
  }

  /** Its clock was 74 s ahead when it requested instances, and some shut themselves down. */
  @Test
  void staysWithinTheBudgetAfterRequestsByAClockThatWasAhead() {
    rehearse("813000545", RANDOM.toString());
  }

  private void rehearse(String seed, String... job) {
    List<String> arguments = new ArrayList<>(List.of("rehearse"));
    arguments.addAll(List.of(job));
    arguments.addAll(List.of("--faults", "heavy", "--seeds", "1", "--seed", seed, "--json"));
    InProcessCli.Result result = new InProcessCli(folder).run(arguments.toArray(String[]::new));
    assertThat(result.json().path("seeds").asInt()).isEqualTo(1);
    assertThat(result.json().path("failing_seeds")).as(result.err()).isEmpty();
    assertThat(result.exit()).isZero();
  }

  private static String file(String job, String name) throws URISyntaxException {
    return Path.of(RecordedRehearsalsTest.class.getResource("/rehearsals/" + job).toURI())
        .resolve(name)
        .toString();
  }
}
