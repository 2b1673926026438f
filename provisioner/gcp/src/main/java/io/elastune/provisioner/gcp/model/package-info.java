/**
 * Settings of the Google Cloud project, conversion of names, and the interfaces to the APIs in use,
 * without types of Google's library.
 */
@NullMarked
package io.elastune.provisioner.gcp.model;

import org.jspecify.annotations.NullMarked;
