/** Tests of the Terraform module for Google Cloud. */
@NullMarked
package io.elastune.provisioner.gcp.terraform;

import org.jspecify.annotations.NullMarked;
