package io.elastune.profiler;

import io.elastune.core.job.Job;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Computes the storage key of a profile: the same program in the same folder on the same GPU model.
 */
final class ProfileKey {
  private static final int DIGITS = 12;

  private ProfileKey() {}

  /** Returns a file name with the job's name, the GPU model and a hash of the rest. */
  static String of(Job job, Path workdir, String gpu) {
    String all =
        String.join(
            "\n",
            workdir.toAbsolutePath().normalize().toString(),
            job.trial().setup().orElse(""),
            job.trial().run(),
            job.trial().envs().toString(),
            job.search().resource().unit(),
            job.search().space().toString(),
            String.join(",", job.resources().infra()),
            gpu);
    all += job.trial().python().map(path -> "\npython " + path).orElse("");
    all += job.trial().image().map(image -> "\nimage " + image).orElse("");
    return start(job, gpu) + hash(all);
  }

  /** Returns the start of the names of all files of a job on a GPU model. */
  static String start(Job job, String gpu) {
    return job.name() + "-" + gpu.replaceAll("[^A-Za-z0-9-]", "_") + "-";
  }

  /** Returns the key of what prepares an instance: leases with the same key boot alike. */
  static String setup(Job job) {
    return hash(job.trial().setup().orElse("") + "\nimage " + job.trial().image().orElse(""));
  }

  /** Returns the first digits of a hash. */
  static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest).substring(0, DIGITS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("SHA-256 is unavailable", e);
    }
  }
}
