package io.elastune.provisioner.gcp.sdk;

import com.google.auth.oauth2.GoogleCredentials;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads a file with application default credentials of any type. Messages name the file and the
 * reason, and contain no value of the file that is a secret.
 */
final class CredentialsFile {
  private static final List<String> SECRETS =
      List.of("private_key", "private_key_id", "client_secret", "refresh_token", "access_token");

  private CredentialsFile() {}

  /**
   * Reads the credentials. No request is sent.
   *
   * @param origin how the file was found, for messages, e.g. the name of a variable
   * @throws CloudException if the file is missing or malformed
   */
  static GoogleCredentials read(Path file, String origin) {
    String text = text(file, origin);
    JsonNode json = json(text, file, origin);
    try {
      return GoogleCredentials.fromStream(
          new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    } catch (IOException | RuntimeException e) { // the library throws several for invalid values
      throw rejected(file, origin, withoutSecrets(ExceptionMessages.firstLine(e), json), e);
    }
  }

  private static String text(Path file, String origin) {
    try {
      return Files.readString(file);
    } catch (NoSuchFileException e) {
      throw rejected(file, origin, "it does not exist", e);
    } catch (IOException e) {
      throw rejected(file, origin, "it is unreadable: " + e.getClass().getSimpleName(), e);
    }
  }

  /** The library's message for a malformed file would quote its content. */
  private static JsonNode json(String text, Path file, String origin) {
    try {
      JsonNode json = JsonMapper.shared().readTree(text);
      if (!json.isObject() || json.path("type").asString("").isEmpty()) {
        throw rejected(file, origin, "it has no field \"type\"", new IOException("no type"));
      }
      return json;
    } catch (JacksonException e) {
      throw rejected(file, origin, "it is not valid JSON", new IOException("invalid JSON"));
    }
  }

  static String withoutSecrets(String message, JsonNode json) {
    String masked = message;
    for (JsonNode part : List.of(json, json.path("source_credentials"))) {
      for (String field : SECRETS) {
        String secret = part.path(field).asString("");
        if (!secret.isEmpty()) {
          masked = masked.replace(secret, "…");
        }
      }
    }
    return masked;
  }

  private static CloudException rejected(Path file, String origin, String why, Exception cause) {
    return new CloudException(
        new CloudFailure.Permission(
            "the Google credentials file "
                + file
                + " ("
                + origin
                + ") cannot be used: "
                + why
                + "; log in with 'gcloud auth application-default login', or set "
                + "GOOGLE_APPLICATION_CREDENTIALS to another file"),
        cause);
  }
}
