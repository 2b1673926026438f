package io.elastune.provisioner.gcp.model;

import io.elastune.core.files.UserHome;
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
 * Reads the environment variables of Google's own tools. A system property of the same name takes
 * precedence, because tests cannot set variables.
 */
public final class GcloudEnvironment {
  /** The variable with the path of the credentials file, if it is not in the default location. */
  public static final String CREDENTIALS = "GOOGLE_APPLICATION_CREDENTIALS";

  private static final List<String> PROJECT =
      List.of("GOOGLE_CLOUD_PROJECT", "CLOUDSDK_CORE_PROJECT", "GCLOUD_PROJECT");
  private static final Path PRODUCT_NAME = Path.of("/sys/class/dmi/id/product_name");

  private GcloudEnvironment() {}

  /** Returns the value of a variable; empty if it is unset or blank. */
  public static Optional<String> get(String name) {
    return Optional.ofNullable(System.getProperty(name))
        .or(() -> Optional.ofNullable(System.getenv(name)))
        .filter(value -> !value.isBlank());
  }

  /** Returns the project that the variables name. */
  public static Optional<String> project() {
    return PROJECT.stream().flatMap(name -> get(name).stream()).findFirst();
  }

  /**
   * Returns why this machine cannot call Google Cloud; empty if it may be able to. Sends no request
   * and does not load Google's library.
   *
   * @param project the project in the settings
   */
  public static Optional<String> unavailableReason(Optional<String> project) {
    Optional<Path> file =
        Stream.of(get(CREDENTIALS).map(Path::of), Optional.of(defaultFile()))
            .flatMap(Optional::stream)
            .filter(Files::isReadable)
            .findFirst();
    if (file.isEmpty() && !isOnGoogleCloud()) {
      return Optional.of(
          "there are no Google credentials: log in with 'gcloud auth application-default login', or"
              + " set "
              + CREDENTIALS);
    }
    boolean known = project.or(GcloudEnvironment::project).isPresent() || file.isEmpty();
    return known || file.filter(GcloudEnvironment::namesProject).isPresent()
        ? Optional.empty()
        : Optional.of(
            "there is no Google Cloud project: set gcp.project in clouds.yaml or the variable "
                + PROJECT.get(0));
  }

  /** Returns the path of the credentials file that gcloud writes, which need not exist. */
  public static Path defaultFile() {
    return get("CLOUDSDK_CONFIG")
        .map(Path::of)
        .orElseGet(() -> Path.of(UserHome.of(get("HOME")).orElse(""), ".config", "gcloud"))
        .resolve("application_default_credentials.json");
  }

  private static boolean isOnGoogleCloud() {
    try {
      return Files.readString(PRODUCT_NAME).startsWith("Google");
    } catch (IOException e) {
      return false; // not Linux, or not readable
    }
  }

  private static boolean namesProject(Path file) {
    try {
      JsonNode json = JsonMapper.shared().readTree(Files.readString(file));
      return json.has("project_id") || json.has("quota_project_id");
    } catch (IOException | JacksonException e) {
      return true; // the first call reports what is wrong with the file
    }
  }
}
