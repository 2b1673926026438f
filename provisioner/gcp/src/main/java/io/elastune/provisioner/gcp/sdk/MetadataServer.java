package io.elastune.provisioner.gcp.sdk;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Reads values of the instance on which this process runs. */
final class MetadataServer {
  private static final String PROJECT = "/computeMetadata/v1/project/project-id";
  private static final int TIMEOUT_MS = 3_000;
  private static final int OK = 200;

  private MetadataServer() {}

  /** Returns the ID of the instance's project; empty if the server does not answer. */
  static Optional<String> project(String url) {
    try {
      HttpURLConnection connection =
          (HttpURLConnection) URI.create(url + PROJECT).toURL().openConnection();
      connection.setConnectTimeout(TIMEOUT_MS);
      connection.setReadTimeout(TIMEOUT_MS);
      connection.setRequestProperty("Metadata-Flavor", "Google");
      if (connection.getResponseCode() != OK) {
        return Optional.empty();
      }
      try (InputStream body = connection.getInputStream()) {
        return Optional.of(new String(body.readAllBytes(), StandardCharsets.UTF_8).strip())
            .filter(project -> !project.isEmpty());
      }
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
