package io.elastune.provisioner.gcp.account;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The variables that Google's own tools take. A system property of the same name comes first, for
 * whoever cannot set variables.
 */
public final class Surroundings {
  /** The file with the credentials, if they are not where they usually are. */
  public static final String CREDENTIALS = "GOOGLE_APPLICATION_CREDENTIALS";

  private static final List<String> PROJECT =
      List.of("GOOGLE_CLOUD_PROJECT", "CLOUDSDK_CORE_PROJECT", "GCLOUD_PROJECT");
  private static final Path MACHINE = Path.of("/sys/class/dmi/id/product_name");

  private Surroundings() {}

  /** The variable's value; empty if it is not set, or to nothing. */
  public static Optional<String> get(String name) {
    return Optional.ofNullable(System.getProperty(name))
        .or(() -> Optional.ofNullable(System.getenv(name)))
        .filter(value -> !value.isBlank());
  }

  /** The project that the variables name. */
  public static Optional<String> project() {
    return PROJECT.stream().flatMap(name -> get(name).stream()).findFirst();
  }

  /**
   * Why this machine has nothing to ask Google Cloud with, told without asking anybody and without
   * Google's library; empty if it may have.
   *
   * @param project of the settings
   */
  public static Optional<String> absent(Optional<String> project) {
    Optional<Path> file =
        Stream.of(get(CREDENTIALS).map(Path::of), Optional.of(usualFile()))
            .flatMap(Optional::stream)
            .filter(Files::isReadable)
            .findFirst();
    if (file.isEmpty() && !onGoogle()) {
      return Optional.of(
          "there are no Google credentials: log in with 'gcloud auth application-default login', or"
              + " set "
              + CREDENTIALS);
    }
    boolean known = project.or(Surroundings::project).isPresent() || file.isEmpty();
    return known || file.filter(Surroundings::namesProject).isPresent()
        ? Optional.empty()
        : Optional.of(
            "no project is named: give gcp.project in clouds.yaml, or set " + PROJECT.get(0));
  }

  private static Path usualFile() {
    return get("CLOUDSDK_CONFIG")
        .map(Path::of)
        .orElseGet(() -> Path.of(System.getProperty("user.home", ""), ".config", "gcloud"))
        .resolve("application_default_credentials.json");
  }

  private static boolean onGoogle() {
    try {
      return Files.readString(MACHINE).startsWith("Google");
    } catch (IOException e) {
      return false; // no Linux, or not allowed to know
    }
  }

  private static boolean namesProject(Path file) {
    try {
      JsonNode json = JsonMapper.shared().readTree(Files.readString(file));
      return json.has("project_id") || json.has("quota_project_id");
    } catch (IOException | JacksonException e) {
      return true; // whoever uses it tells what is wrong with it
    }
  }
}
