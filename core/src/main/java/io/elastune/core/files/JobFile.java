package io.elastune.core.files;

import io.elastune.core.files.tree.YamlWriter;
import io.elastune.core.job.Job;

/** Job files: what is to be tuned, by when, for how much. */
public final class JobFile {
  private JobFile() {}

  /**
   * The job, or everything that is wrong with the file or the overrides.
   *
   * @param fileName for messages
   */
  public static Parsed<Job> parse(String fileName, String text, Overrides overrides) {
    return Reader.parse(fileName, text, JobSection.SECTION, overrides::applyTo);
  }

  /** A job file with every default written out, from which {@link #parse} makes an equal job. */
  public static String write(Job job) {
    return YamlWriter.write(JobSection.SECTION.write(job));
  }
}
