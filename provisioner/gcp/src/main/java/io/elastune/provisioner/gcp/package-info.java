/** The provider for Google Cloud. */
@NullMarked
package io.elastune.provisioner.gcp;

import org.jspecify.annotations.NullMarked;
