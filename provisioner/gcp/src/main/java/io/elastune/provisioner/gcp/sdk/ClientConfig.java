package io.elastune.provisioner.gcp.sdk;

import com.google.auth.oauth2.GoogleCredentials;
import com.google.auth.oauth2.ServiceAccountCredentials;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.gcp.model.GcloudEnvironment;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The credentials, project and endpoint of all calls. They come from the application default
 * credentials and the environment variables of Google's own tools.
 *
 * @param project the ID of the project that is called and billed
 * @param endpoint the URL of Compute Engine; empty for the default
 */
record ClientConfig(GoogleCredentials credentials, String project, Optional<String> endpoint) {
  private static final String ENDPOINT = "CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE";
  private static final String SCOPE = "https://www.googleapis.com/auth/cloud-platform";

  /**
   * Returns the configuration of this machine.
   *
   * @param project the project in the settings; empty for that of the variables or the credentials
   * @throws CloudException if there are no credentials or no project
   */
  static ClientConfig load(Optional<String> project) {
    GoogleCredentials credentials = defaultCredentials();
    String id =
        project
            .or(GcloudEnvironment::project)
            .or(() -> ofCredentials(credentials))
            .orElseThrow(
                () ->
                    new CloudException(
                        new CloudFailure.Invalid(
                            "there is no Google Cloud project: set gcp.project in clouds.yaml or the"
                                + " variable GOOGLE_CLOUD_PROJECT")));
    return new ClientConfig(credentials, id, endpointOverride());
  }

  private static GoogleCredentials defaultCredentials() {
    try {
      Optional<String> file = GcloudEnvironment.get(GcloudEnvironment.CREDENTIALS);
      GoogleCredentials found =
          file.isPresent() ? read(Path.of(file.get())) : GoogleCredentials.getApplicationDefault();
      GoogleCredentials scoped = found.createScoped(SCOPE);
      return scoped instanceof ServiceAccountCredentials service
          ? service.createWithUseJwtAccessWithScope(true)
          : scoped;
    } catch (IOException e) {
      throw new CloudException(
          new CloudFailure.Permission(
              "no Google credentials found"
                  + cause(e)
                  + "; log in with 'gcloud auth application-default login', or set"
                  + " GOOGLE_APPLICATION_CREDENTIALS"),
          e);
    }
  }

  /**
   * Returns the cause if the variable names a file. Otherwise the library's message adds nothing.
   */
  private static String cause(IOException e) {
    return GcloudEnvironment.get(GcloudEnvironment.CREDENTIALS)
        .map(
            file ->
                ": GOOGLE_APPLICATION_CREDENTIALS is "
                    + file
                    + ", which "
                    + (e instanceof NoSuchFileException
                        ? "does not exist"
                        : "is unreadable: " + ExceptionMessages.firstLine(e)))
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

  /** Removes the path, which {@code gcloud} requires and the library rejects. */
  private static Optional<String> endpointOverride() {
    return GcloudEnvironment.get(ENDPOINT).map(url -> url.replaceFirst("/compute/v1/?$", ""));
  }
}
