/**
 * The model of an AWS account for the rest of the module: settings, locations, and the calls used,
 * without any SDK type.
 */
@NullMarked
package io.elastune.provisioner.aws.model;

import org.jspecify.annotations.NullMarked;
