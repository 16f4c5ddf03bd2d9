package session

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Conform holds a value that came from elsewhere to what the tags of its type say: enum, maxLength, maxItems, minimum, maximum. A list that
// is missing becomes an empty one, as all lists are here. v is a pointer. The error names the field.
func Conform(v any) error { return conform(reflect.ValueOf(v), "", "") }

func conform(v reflect.Value, tag reflect.StructTag, name string) error {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return nil
		}
		if v.Kind() == reflect.Interface { // of a field without a type: JSON, which has no tags
			return nil
		}
		return conform(v.Elem(), tag, name)
	case reflect.Struct:
		return conformFields(v, name)
	case reflect.Slice:
		return conformList(v, tag, name)
	case reflect.Map:
		if v.IsNil() && v.CanSet() {
			v.Set(reflect.MakeMap(v.Type()))
		}
	case reflect.String:
		return conformText(v.String(), tag, name)
	case reflect.Int, reflect.Int64:
		return conformNumber(float64(v.Int()), tag, name)
	case reflect.Float64:
		return conformNumber(v.Float(), tag, name)
	default:
	}
	return nil
}

func conformFields(v reflect.Value, name string) error {
	if v.Type() == reflect.TypeFor[time.Time]() {
		return nil
	}
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if !f.IsExported() {
			continue
		}
		at, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if strings.Contains(options, "omitempty") && v.Field(i).IsZero() || at == "-" {
			continue
		}
		if err := conform(v.Field(i), f.Tag, name+"."+at); err != nil {
			return err
		}
	}
	return nil
}

func conformList(v reflect.Value, tag reflect.StructTag, name string) error {
	if v.Type().Elem().Kind() == reflect.Uint8 { // JSON as it stands
		return nil
	}
	if v.IsNil() && v.CanSet() {
		v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	}
	if most, err := strconv.Atoi(tag.Get("maxItems")); err == nil && v.Len() > most {
		return errors.New(name + " is too long")
	}
	for i := range v.Len() {
		if err := conform(v.Index(i), tag, name); err != nil {
			return err
		}
	}
	return nil
}

func conformText(s string, tag reflect.StructTag, name string) error {
	if enum := tag.Get("enum"); enum != "" && !slices.Contains(strings.Split(enum, ","), s) {
		return fmt.Errorf("%s is %.40q", name, s)
	}
	if most, err := strconv.Atoi(tag.Get("maxLength")); err == nil && utf8.RuneCountInString(s) > most {
		return errors.New(name + " is too long")
	}
	return nil
}

func conformNumber(x float64, tag reflect.StructTag, name string) error {
	if least, err := strconv.ParseFloat(tag.Get("minimum"), 64); err == nil && x < least {
		return fmt.Errorf("%s is %v", name, x)
	}
	if most, err := strconv.ParseFloat(tag.Get("maximum"), 64); err == nil && x > most {
		return fmt.Errorf("%s is %v", name, x)
	}
	return nil
}
