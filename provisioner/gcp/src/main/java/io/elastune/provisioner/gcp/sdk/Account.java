package io.elastune.provisioner.gcp.sdk;

import com.google.auth.oauth2.GoogleCredentials;
import com.google.auth.oauth2.ServiceAccountCredentials;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.gcp.account.Surroundings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Who asks, of which project, and where: application default credentials, and the variables that
 * Google's own tools take.
 *
 * @param project the id of the project that is asked of, and billed
 * @param endpoint where Compute Engine is; empty for where it always is
 */
record Account(GoogleCredentials credentials, String project, Optional<String> endpoint) {
  private static final String ENDPOINT = "CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE";
  private static final String SCOPE = "https://www.googleapis.com/auth/cloud-platform";

  /**
   * The account, as it is set up on this machine.
   *
   * @param project of the settings; empty takes that of the variables or the credentials
   * @throws CloudException if there are no credentials, or it is not known of which project
   */
  static Account find(Optional<String> project) {
    GoogleCredentials credentials = usual();
    String id =
        project
            .or(Surroundings::project)
            .or(() -> ofCredentials(credentials))
            .orElseThrow(
                () ->
                    new CloudException(
                        new CloudFailure.Invalid(
                            "it is not known which Google Cloud project is meant: give gcp.project"
                                + " in clouds.yaml, or set GOOGLE_CLOUD_PROJECT")));
    return new Account(credentials, id, elsewhere());
  }

  private static GoogleCredentials usual() {
    try {
      Optional<String> file = Surroundings.get(Surroundings.CREDENTIALS);
      GoogleCredentials found =
          file.isPresent() ? read(Path.of(file.get())) : GoogleCredentials.getApplicationDefault();
      GoogleCredentials scoped = found.createScoped(SCOPE);
      return scoped instanceof ServiceAccountCredentials service
          ? service.createWithUseJwtAccessWithScope(true)
          : scoped;
    } catch (IOException e) {
      throw new CloudException(
          new CloudFailure.Permission(
              "no Google credentials are to be found"
                  + why(e)
                  + "; log in with 'gcloud auth application-default login', or set"
                  + " GOOGLE_APPLICATION_CREDENTIALS"),
          e);
    }
  }

  /** The library's own words are only about what is said anyway, unless a file is named. */
  private static String why(IOException e) {
    return Surroundings.get(Surroundings.CREDENTIALS)
        .map(
            file ->
                ": GOOGLE_APPLICATION_CREDENTIALS is "
                    + file
                    + ", which "
                    + (e instanceof NoSuchFileException
                        ? "is not there"
                        : "cannot be read: " + Calls.firstLine(e)))
        .orElse("");
  }

  private static GoogleCredentials read(Path file) throws IOException {
    try (InputStream stream = Files.newInputStream(file)) {
      return GoogleCredentials.fromStream(stream);
    }
  }

  private static Optional<String> ofCredentials(GoogleCredentials credentials) {
    String own =
        credentials instanceof ServiceAccountCredentials service ? service.getProjectId() : null;
    return Optional.ofNullable(own).or(() -> Optional.ofNullable(credentials.getQuotaProjectId()));
  }

  /** The library wants no path, which {@code gcloud} does. */
  private static Optional<String> elsewhere() {
    return Surroundings.get(ENDPOINT).map(url -> url.replaceFirst("/compute/v1/?$", ""));
  }
}
