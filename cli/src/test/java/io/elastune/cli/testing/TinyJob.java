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
 * A job whose trials are a few lines of shell, with all that it needs: offers of this machine, a
 * profile, the trials' scripts. Its profile says that they are far slower than they are, so that a
 * plan keeps its deadline on the busiest machine.
 */
public final class TinyJob {
  private static final String[] SCRIPTS = {"lib.sh", "trial.sh", "faulty.sh"};

  private static final String OFFER =
      "  - {infra: local, instance_type: %s, gpu: cpu, gpus: %d, market: on-demand, usd_per_hour: %s,"
          + " price: notional,"
          + " billing: {per: instance, granularity_s: 1, minimum_s: 0, per_use_usd: 0},"
          + " queue_s: {mean: 0.1, cv: 0}, boot_s: {mean: 0.1, cv: 0}, data_in_usd: 0,"
          + " disk_usd_per_hour: 0}\n";

  private final Map<String, String> fields = new LinkedHashMap<>();
  private List<String> rented = List.of();
  private String training = "[{gpus: 1, seconds: 7.5}]";
  private double usdPerHour = 0.36;

  /** Eight trials in three groups: 8 to epoch 1, 4 to 2, 2 to 4; more instances first than last. */
  public TinyJob(String name) {
    fields.put("name", name);
    fields.put("deadline", "60s");
    search("{algorithm: sha, trials: 8, eta: 2, ", "min: 1, max: 4");
    trial("0.15", "gpus: 1, max_failures: 1");
    types("solo");
    fields.put("profile", "{file: profile.yaml}");
  }

  /** One top-level field, as YAML on one line. */
  public TinyJob with(String field, String yaml) {
    fields.put(field, yaml);
    return this;
  }

  /** Without one. */
  public TinyJob without(String field) {
    fields.remove(field);
    return this;
  }

  /** How it searches for the best x: {@code algorithm} begins the group of fields. */
  public TinyJob search(String algorithm, String resource) {
    return search(algorithm, resource, "x: {type: uniform, low: 0, high: 1}");
  }

  /** How it searches in {@code space}. */
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

  /** Seconds of a unit, and further fields of the trial. */
  public TinyJob trial(String pause, String more) {
    return with("trial", "{run: exec sh trial.sh, envs: {PAUSE: \"" + pause + "\"}, " + more + "}");
  }

  /** The instance types that it may rent: solo, duo or hall, of 1, 2 and 16 cores. */
  public TinyJob types(String types) {
    return with(
        "resources",
        "{infra: [local], offers: offers.yaml, instance_types: [" + types + "], max_instances: 4}");
  }

  /** Rents somewhere else, where these are all the offers. */
  public TinyJob rents(String infra, List<String> offers) {
    rented = List.copyOf(offers);
    return with("resources", "{infra: [" + infra + "], offers: offers.yaml, max_instances: 8}");
  }

  /** The profile's {@code training}. */
  public TinyJob profile(String seconds) {
    training = seconds;
    return this;
  }

  /** The price of a core. */
  public TinyJob price(double usd) {
    usdPerHour = usd;
    return this;
  }

  /** Writes everything to {@code folder}; gives the job file. */
  public Path write(Path folder) throws IOException {
    Files.createDirectories(folder);
    for (String script : SCRIPTS) {
      copy(script, folder);
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
        startup_s: {mean: 0.1, cv: 0}
        checkpoint_s: {mean: 0, cv: 0}
        trial_cv: 0
        unit_cv: 0
        straggler: {probability: 0, slowdown: 1}
        """
        .formatted(training);
  }
}
