package io.elastune.provisioner.remote;

import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.ObjectStore;
import io.elastune.provisioner.SignedUrl;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A bucket with the XML interface of Amazon S3, which Google Cloud Storage and many other services
 * have, too. The services differ only in the signature of requests.
 *
 * @see <a href="https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations_Amazon_S3.html">The
 *     operations of Amazon S3</a>
 * @see <a href="https://cloud.google.com/storage/docs/xml-api/reference-methods">The XML interface
 *     of Google Cloud Storage</a>
 */
public final class XmlObjectStore implements ObjectStore {
  /** How long a URL is valid; the transfer may take longer once it has begun. */
  public static final Duration URL_VALIDITY = Duration.ofMinutes(15);

  private final RequestSigner signer;
  private final Duration validity;
  private final ObjectStoreCalls calls;

  /**
   * Creates the client of a bucket.
   *
   * @param url the URL in messages, such as {@code s3://BUCKET}
   * @param validity how long the URLs for nodes are valid
   */
  public XmlObjectStore(String url, RequestSigner signer, Duration validity) {
    this.signer = signer;
    this.validity = validity;
    calls = new ObjectStoreCalls(url, signer);
  }

  @Override
  public SignedUrl put(String name) {
    return signed("PUT", name, new TreeMap<>());
  }

  @Override
  public void upload(String name, Path file) {
    calls.upload(name, file);
  }

  @Override
  public SignedUrl get(String name) {
    return signed("GET", name, new TreeMap<>());
  }

  @Override
  public SignedUrl putPart(String name, String upload, int part) {
    return signed("PUT", name, query("partNumber", Integer.toString(part), "uploadId", upload));
  }

  private SignedUrl signed(String method, String name, SortedMap<String, String> query) {
    return new SignedUrl(signer.sign(method, name, query, validity));
  }

  @Override
  public String beginUpload(String name) {
    String upload = calls.call("POST", name, query("uploads", ""), "").text("UploadId");
    if (upload.isEmpty()) {
      throw new CloudException(calls.unclear("Beginning an upload of", name, "it has no ID"));
    }
    return upload;
  }

  @Override
  public void completeUpload(String name, String upload, List<String> tags) {
    StringBuilder body = new StringBuilder("<CompleteMultipartUpload>");
    for (int i = 0; i < tags.size(); i++) {
      String tag = tags.get(i).replace("\"", "").replaceAll("[^A-Za-z0-9=+/-]", "");
      body.append("<Part><PartNumber>").append(i + 1).append("</PartNumber>");
      body.append("<ETag>\"").append(tag).append("\"</ETag></Part>");
    }
    body.append("</CompleteMultipartUpload>");
    var unused = calls.call("POST", name, query("uploadId", upload), body.toString());
  }

  @Override
  public void abortUpload(String name, String upload) {
    calls.callIfPresent("DELETE", name, query("uploadId", upload));
  }

  @Override
  public List<StoredObject> list(String prefix) {
    List<StoredObject> found = new ArrayList<>();
    SortedMap<String, String> query = query("list-type", "2", "prefix", prefix);
    while (true) {
      XmlDocument page = calls.call("GET", "", query, "");
      for (XmlDocument object : page.all("Contents")) {
        String tag = object.text("ETag").replace("\"", "");
        found.add(new StoredObject(object.text("Key"), size(object.text("Size")), tag));
      }
      String next = page.text("NextContinuationToken");
      if (!page.text("IsTruncated").equals("true") || next.isEmpty()) {
        return found;
      }
      query = query("list-type", "2", "prefix", prefix, "continuation-token", next);
    }
  }

  private static long size(String text) {
    return text.isEmpty() ? 0 : Long.parseLong(text);
  }

  /** Returns at most the first thousand, which the caller aborts. */
  @Override
  public List<UnfinishedUpload> unfinishedUploads(String prefix) {
    return calls.call("GET", "", query("prefix", prefix, "uploads", ""), "").all("Upload").stream()
        .map(upload -> new UnfinishedUpload(upload.text("Key"), upload.text("UploadId")))
        .toList();
  }

  @Override
  public void delete(String name) {
    calls.callIfPresent("DELETE", name, query());
  }

  @Override
  public void check(String name) {
    var unused = calls.call("PUT", name, query(), "written by a check of elastune");
    List<StoredObject> ignored = list(name);
    delete(name);
    abortUpload(name, beginUpload(name));
  }

  private static SortedMap<String, String> query(String... namesAndValues) {
    Map<String, String> all = new TreeMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      all.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return new TreeMap<>(all);
  }
}
