package io.elastune.provisioner.gcp.sdk;

import com.google.auth.oauth2.ComputeEngineCredentials;
import com.google.auth.oauth2.GoogleCredentials;
import com.google.auth.oauth2.ServiceAccountCredentials;
import com.google.auth.oauth2.UserCredentials;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.gcp.model.GcloudEnvironment;
import java.io.IOException;
import java.nio.file.Files;
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
                            "there is no Google Cloud project: set gcp.project in clouds.yaml or"
                                + " the variable GOOGLE_CLOUD_PROJECT")));
    return new ClientConfig(credentials, id, endpointOverride());
  }

  /** Returns the application default credentials. */
  static GoogleCredentials defaultCredentials() {
    GoogleCredentials scoped = found().createScoped(SCOPE);
    if (scoped instanceof UserCredentials) {
      return new ReloadedCredentials(scoped, () -> found().createScoped(SCOPE));
    }
    return scoped instanceof ServiceAccountCredentials service
        ? service.createWithUseJwtAccessWithScope(true)
        : scoped;
  }

  /** Searches in the order of Google's libraries: variable, file of gcloud, metadata server. */
  private static GoogleCredentials found() {
    Optional<String> named = GcloudEnvironment.get(GcloudEnvironment.CREDENTIALS);
    if (named.isPresent()) {
      return CredentialsFile.read(
          Path.of(named.get()), "the value of " + GcloudEnvironment.CREDENTIALS);
    }
    Path file = GcloudEnvironment.defaultFile();
    if (Files.exists(file)) {
      return CredentialsFile.read(file, "written by gcloud");
    }
    try {
      return GoogleCredentials.getApplicationDefault();
    } catch (IOException e) {
      throw new CloudException(
          new CloudFailure.Permission(
              "no Google credentials found: "
                  + file
                  + " does not exist, and no metadata server answers; log in with 'gcloud auth"
                  + " application-default login', or set GOOGLE_APPLICATION_CREDENTIALS"),
          e);
    }
  }

  private static Optional<String> ofCredentials(GoogleCredentials credentials) {
    String own =
        credentials instanceof ServiceAccountCredentials service ? service.getProjectId() : null;
    return Optional.ofNullable(own)
        .or(() -> Optional.ofNullable(credentials.getQuotaProjectId()))
        .or(() -> ofInstance(credentials));
  }

  /** An instance of Compute Engine belongs to a project. */
  private static Optional<String> ofInstance(GoogleCredentials credentials) {
    return credentials instanceof ComputeEngineCredentials
        ? MetadataServer.project(ComputeEngineCredentials.getMetadataServerUrl())
        : Optional.empty();
  }

  /** Removes the path, which {@code gcloud} requires and the library rejects. */
  private static Optional<String> endpointOverride() {
    return GcloudEnvironment.get(ENDPOINT).map(url -> url.replaceFirst("/compute/v1/?$", ""));
  }
}
