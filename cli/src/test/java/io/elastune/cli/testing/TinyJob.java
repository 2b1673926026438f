package io.elastune.cli.testing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A job whose trials are short shell scripts, with its offers of this machine, its profile and its
 * scripts. The profile is much slower than the trials are, so that runs meet their deadlines on a
 * busy machine.
 */
public final class TinyJob {
  private static final String[] SCRIPTS = {
    "lib.sh", "trial.sh", "timed.sh", "faulty.sh", "sparse.sh"
  };

  private static final String OFFER =
      "  - {infra: local, instance_type: %s, gpu: cpu, gpus: %d, slots_per_core: 50, market: on-demand, usd_per_hour: %s,"
          + " price: notional,"
          + " billing: {per: instance, granularity_s: 1, minimum_s: 0, per_use_usd: 0},"
          + " queue_s: {mean: 0.1, cv: 0}, boot_s: {mean: 0.1, cv: 0}, data_in_usd: 0,"
          + " disk_usd_per_hour: 0}\n";

  private final Map<String, String> fields = new LinkedHashMap<>();
  private final Map<String, String> scripts = new LinkedHashMap<>();
  private List<String> rented = List.of();
  private String training = "[{gpus: 1, seconds: 7.5}]";
  private double usdPerHour = 0.36;
  private double startupS = 0.1;

  /**
   * Eight trials in three groups: 8 to epoch 1, 4 to 2, 2 to 4. The number of instances shrinks.
   */
  public TinyJob(String name) {
    fields.put("name", name);
    fields.put("deadline", "60s");
    search("{algorithm: sha, trials: 8, eta: 2, ", "min: 1, max: 4");
    trial("0.15", "gpus: 1, max_failures: 1");
    instanceTypes("solo");
    fields.put("profile", "{file: profile.yaml}");
    fields.put("prefer", "cheapest"); // the prices are notional
  }

  /** Sets a top-level field to YAML on one line. */
  public TinyJob with(String field, String yaml) {
    fields.put(field, yaml);
    return this;
  }

  /** Removes a top-level field. */
  public TinyJob without(String field) {
    fields.remove(field);
    return this;
  }

  /** Sets a search with four trials to epoch 2, of which the best two continue to epoch 4. */
  public TinyJob fourTrials() {
    return search("{algorithm: sha, trials: 4, eta: 2, ", "min: 2, max: 4");
  }

  /** Adds a script, with which trials run without retries. */
  public TinyJob script(String file, String text, String more) {
    scripts.put(file, text);
    return with("trial", "{run: exec sh " + file + ", max_failures: 0" + more + "}");
  }

  /** Sets the search for the best x; {@code algorithm} is the start of the YAML mapping. */
  public TinyJob search(String algorithm, String resource) {
    return search(algorithm, resource, "x: {type: uniform, low: 0, high: 1}");
  }

  /** Sets the search and its space. */
  public TinyJob search(String algorithm, String resource, String space) {
    return with(
        "search",
        algorithm
            + "metric: {name: acc, goal: maximize}, resource: {unit: epoch, "
            + resource
            + "}, space: {"
            + space
            + "}}");
  }

  /** Sets the seconds of a unit, and additional fields of the trial. */
  public TinyJob trial(String pause, String more) {
    return with("trial", "{run: exec sh trial.sh, envs: {PAUSE: \"" + pause + "\"}, " + more + "}");
  }

  /**
   * Sets the allowed instance types: solo, duo or hall, with 1, 2 and 16 slots. Trials mostly
   * sleep, so that fifty share a core, and plans do not depend on the cores of the machine.
   */
  public TinyJob instanceTypes(String types) {
    return with(
        "resources",
        "{infra: [local], offers: offers.yaml, instance_types: [" + types + "], max_instances: 4}");
  }

  /** Sets another location and its offers. */
  public TinyJob location(String infra, List<String> offers) {
    rented = List.copyOf(offers);
    return with("resources", "{infra: [" + infra + "], offers: offers.yaml, max_instances: 8}");
  }

  /** Sets the profile's {@code training}. */
  public TinyJob profile(String seconds) {
    training = seconds;
    return this;
  }

  /** Sets the profile's start-up time in seconds. */
  public TinyJob startup(double seconds) {
    startupS = seconds;
    return this;
  }

  /** Sets the price of a core. */
  public TinyJob price(double usd) {
    usdPerHour = usd;
    return this;
  }

  /** Writes all files to {@code folder} and returns the job file. */
  public Path write(Path folder) throws IOException {
    Files.createDirectories(folder);
    for (String script : SCRIPTS) {
      copy(script, folder);
    }
    for (Map.Entry<String, String> script : scripts.entrySet()) {
      Files.writeString(folder.resolve(script.getKey()), script.getValue());
    }
    Files.writeString(folder.resolve("offers.yaml"), offers());
    Files.writeString(folder.resolve("profile.yaml"), profile());
    StringBuilder text = new StringBuilder();
    fields.forEach((field, yaml) -> text.append(field).append(": ").append(yaml).append('\n'));
    return Files.writeString(folder.resolve("job.yaml"), text);
  }

  /** Copies a script to a folder. */
  public static Path copy(String script, Path folder) throws IOException {
    Path file = folder.resolve(script);
    try (InputStream in = TinyJob.class.getResourceAsStream("/trials/" + script)) {
      Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
    }
    return file;
  }

  private String offers() {
    String begin = "source: test\ndate: 2026-11-20\noffers:\n";
    if (!rented.isEmpty()) {
      return begin + String.join("\n", rented) + "\n";
    }
    return begin
        + String.format(OFFER, "solo", 1, usdPerHour)
        + String.format(OFFER, "duo", 2, 2 * usdPerHour)
        + String.format(OFFER, "hall", 16, 16 * usdPerHour);
  }

  private String profile() {
    return """
        program: tiny
        gpu: cpu
        unit: epoch
        measured: {at: 2026-11-20T06:00:00Z, source: test, samples: 40}
        training: %s
        startup_s: {mean: %s, cv: 0}
        checkpoint_s: {mean: 0, cv: 0}
        trial_cv: 0
        unit_cv: 0
        straggler: {probability: 0, slowdown: 1}
        """
        .formatted(training, startupS);
  }
}
