package io.elastune.plan.json;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** An optional component of a JSON document whose key is left out if it is empty. */
@JacksonAnnotationsInside
@JsonInclude(JsonInclude.Include.NON_ABSENT)
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER})
public @interface KeyIfPresent {}
