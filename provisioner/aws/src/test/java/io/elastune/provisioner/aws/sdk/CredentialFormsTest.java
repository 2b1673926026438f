package io.elastune.provisioner.aws.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every form of credentials in {@code ~/.aws/config}, resolved by a process of its own against fake
 * endpoints, and the reason shown for each that fails.
 */
class CredentialFormsTest {
  private static final String START_URL = "https://example.awsapps.com/start";

  @TempDir private Path home;
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", CredentialFormsTest::answer);
    server.start();
    Files.createDirectories(home.resolve(".aws/sso/cache"));
    Files.writeString(home.resolve("token"), "a-web-identity-token");
    Files.writeString(
        home.resolve("process.json"),
        "{\"Version\":1,\"AccessKeyId\":\"AKIAPROC\",\"SecretAccessKey\":\"s\"}");
    Files.writeString(
        home.resolve(".aws/config"),
        Files.readString(
                Path.of(System.getProperty("basedir", ""))
                    .toAbsolutePath()
                    .resolve("src/test/resources/credentials/config"))
            .replace("HOME", home.toString()));
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private static void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    String answer;
    if (path.startsWith("/federation/credentials")) {
      answer =
          "{\"roleCredentials\":{\"accessKeyId\":\"AKIASSO\",\"secretAccessKey\":\"s\","
              + "\"sessionToken\":\"t\",\"expiration\":4102444800000}}";
    } else if (path.equals("/container")) {
      answer =
          "{\"AccessKeyId\":\"AKIABOX\",\"SecretAccessKey\":\"s\",\"Token\":\"t\","
              + "\"Expiration\":\"2099-01-01T00:00:00Z\"}";
    } else if (path.equals("/latest/api/token")) {
      exchange.getResponseHeaders().add("x-aws-ec2-metadata-token-ttl-seconds", "21600");
      answer = "token";
    } else if (path.endsWith("/security-credentials/")) {
      answer = "node-role";
    } else if (path.endsWith("/node-role")) {
      answer =
          "{\"Code\":\"Success\",\"AccessKeyId\":\"AKIAIMDS\",\"SecretAccessKey\":\"s\","
              + "\"Token\":\"t\",\"Expiration\":\"2099-01-01T00:00:00Z\"}";
    } else {
      String action = body.contains("WebIdentity") ? "AssumeRoleWithWebIdentity" : "AssumeRole";
      String key = body.contains("WebIdentity") ? "AKIAWEB" : "AKIAROLE";
      answer =
          "<%1$sResponse><%1$sResult><Credentials><AccessKeyId>%2$s</AccessKeyId>"
                  .formatted(action, key)
              + "<SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken>"
              + "<Expiration>2099-01-01T00:00:00Z</Expiration></Credentials>"
              + "<AssumedRoleUser><Arn>arn:aws:sts::1:assumed-role/x/y</Arn><AssumedRoleId>A:y"
              + "</AssumedRoleId></AssumedRoleUser></%1$sResult></%1$sResponse>".formatted(action);
    }
    byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private List<String> probe(Map<String, String> more, String... profiles)
      throws IOException, InterruptedException {
    String url = "http://127.0.0.1:" + server.getAddress().getPort();
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                CredentialProbe.class.getName()));
    command.addAll(List.of(profiles));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("AWS_"));
    environment.put("HOME", home.toString());
    environment.put("AWS_REGION", "us-east-1");
    environment.put("AWS_ENDPOINT_URL_STS", url);
    environment.put("AWS_ENDPOINT_URL_SSO", url);
    environment.put("AWS_EC2_METADATA_DISABLED", "true");
    more.forEach((name, value) -> environment.put(name, value.replace("URL", url)));
    if (more.containsKey("AWS_EC2_METADATA_SERVICE_ENDPOINT")) {
      environment.remove("AWS_EC2_METADATA_DISABLED");
    }
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return out.lines().toList();
  }

  @Test
  void everyFormOfTheConfigFileYieldsCredentials() throws Exception {
    storeToken(START_URL, START_URL);
    storeToken("corp", START_URL);
    assertThat(probe(Map.of(), "static", "process", "role", "web", "legacy", "session"))
        .containsExactly(
            "static ok AKIASTATIC",
            "process ok AKIAPROC",
            "role ok AKIAROLE",
            "web ok AKIAWEB",
            "legacy ok AKIASSO",
            "session ok AKIASSO");
  }

  @Test
  void containersAndInstancesYieldCredentials() throws Exception {
    assertThat(probe(Map.of("AWS_CONTAINER_CREDENTIALS_FULL_URI", "URL/container"), "default"))
        .containsExactly("default ok AKIABOX");
    assertThat(probe(Map.of("AWS_EC2_METADATA_SERVICE_ENDPOINT", "URL"), "default"))
        .containsExactly("default ok AKIAIMDS");
  }

  @Test
  void reasonAndRemedyAreThoseOfTheProfile() throws Exception {
    Files.delete(home.resolve("token"));
    List<String> reasons =
        probe(
            Map.of(),
            "legacy",
            "session",
            "login",
            "failing",
            "sourceless",
            "web",
            "empty",
            "default");
    assertThat(reasons)
        .hasSize(8)
        .noneMatch(reason -> reason.contains("class path"))
        .noneMatch(reason -> reason.contains("ProfileFile("));
    assertThat(reasons.get(0))
        .contains("no single sign-on session", "aws sso login --profile legacy");
    assertThat(reasons.get(1)).contains("SSO token", "aws sso login --profile session");
    assertThat(reasons.get(2)).contains("not found", "'aws login --profile login'");
    assertThat(reasons.get(3)).contains("credential_process failed");
    assertThat(reasons.get(4)).contains("'nosuch'", "no credentials configured");
    assertThat(reasons.get(5)).contains(home.resolve("token") + " does not exist");
    assertThat(reasons.get(6)).contains("profile 'empty' has no credentials");
    assertThat(reasons.get(7)).contains("none found; log in with");
  }

  /** Stores a token as {@code aws sso login} does: in a file named after the hash of its key. */
  private void storeToken(String key, String startUrl) throws Exception {
    byte[] hash = MessageDigest.getInstance("SHA-1").digest(key.getBytes(StandardCharsets.UTF_8));
    Files.writeString(
        home.resolve(".aws/sso/cache/%040x.json".formatted(new BigInteger(1, hash))),
        """
        {"startUrl": "%s", "region": "us-east-1", "accessToken": "t",
         "expiresAt": "2099-01-01T00:00:00Z"}
        """
            .formatted(startUrl));
  }

  @BeforeEach
  void requireModules() throws ClassNotFoundException {
    assumeTrue(
        isOnClassPath("software.amazon.awssdk.services.sso.SsoClient"),
        "the SDK's module sso is not on this class path");
  }

  private static boolean isOnClassPath(String type) {
    try {
      Class.forName(type, false, CredentialFormsTest.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
