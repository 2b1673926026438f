package io.elastune.provisioner;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A bucket of a cloud's object storage. Signs URLs, with which nodes transfer data without
 * credentials, and makes all other calls itself. Every method except {@code close} throws a {@link
 * CloudException}; those that return a URL may call the cloud's credential service. Thread-safe.
 */
public interface ObjectStore {
  /**
   * An object in the bucket.
   *
   * @param size in bytes
   * @param tag its {@code ETag}: another one if it was written again with other contents
   */
  record StoredObject(String name, long size, String tag) {}

  /** An upload that was begun, and neither completed nor aborted. Its parts are billed. */
  record UnfinishedUpload(String name, String upload) {}

  /** Returns the URL for a PUT of a whole object. It replaces an existing one. */
  SignedUrl put(String name);

  /**
   * Stores a file as an object. Blocks until it is stored; until then, an existing object of this
   * name remains, and nothing else exists.
   *
   * @param file has at most 5 GB, and is not changed meanwhile
   */
  void upload(String name, Path file);

  /** Returns the URL for a GET of an object. */
  SignedUrl get(String name);

  /** Begins an upload in parts and returns its ID. The object exists once it is completed. */
  String beginUpload(String name);

  /**
   * Returns the URL for a PUT of one part.
   *
   * @param part counted from 1
   */
  SignedUrl putPart(String name, String upload, int part);

  /**
   * Completes an upload.
   *
   * @param tags the {@code ETag}s of the responses to the parts, in order
   */
  void completeUpload(String name, String upload, List<String> tags);

  /** Aborts an upload and deletes its parts. No effect if it does not exist. */
  void abortUpload(String name, String upload);

  /** Returns the objects whose names start with {@code prefix}. */
  List<StoredObject> list(String prefix);

  /** Returns the object with a name; empty if it does not exist. */
  default Optional<StoredObject> find(String name) {
    return list(name).stream().filter(object -> object.name().equals(name)).findFirst();
  }

  /** Returns the unfinished uploads of objects whose names start with {@code prefix}. */
  List<UnfinishedUpload> unfinishedUploads(String prefix);

  /** Deletes an object. No effect if it does not exist. */
  void delete(String name);

  /** Checks all permissions of this interface: writes, lists and deletes a small object. */
  void check(String name);
}
